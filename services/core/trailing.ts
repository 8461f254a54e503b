/**
 * Text without those of `characters` that stand at its end. Reads each of them once; a regular expression such as `/,+$/` looks for the
 * end behind every run of them, which takes quadratic time for a long run in the middle.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
