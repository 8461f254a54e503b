/**
 * Returns the text without those of `characters` at its end, in linear time. A regular expression such as `/,+$/` takes
 * quadratic time for a long run of them in the middle.
 */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}
