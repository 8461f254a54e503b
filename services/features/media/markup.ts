const blank = /[\s\u0000]/;

/** Returns the index after the next `mark` from `from`, or the end of the text when not found. */
function indexAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** Returns the end of the white space and comments at `start`. Takes linear time for any text. */
export function skipSpaceAndComments(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    if (blank.test(text[at]!)) at++;
    else if (text.startsWith('<!--', at)) at = indexAfter(text, '-->', at + 4);
    else break;
  }
  return at;
}

/** Returns the end of a document type, including its internal subset. */
function skipDoctype(text: string, start: number): number {
  let inSubset = false;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '[') inSubset = true;
    else if (text[at] === ']') inSubset = false;
    else if (text[at] === '>' && !inSubset) return at + 1;
  }
  return text.length;
}

/**
 * Returns the start of an XML document's root element: after white space, comments, processing instructions and
 * document type.
 */
export function skipProlog(text: string): number {
  let at = 0;
  for (;;) {
    at = skipSpaceAndComments(text, at);
    if (text.startsWith('<?', at)) at = indexAfter(text, '?>', at + 2);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) at = skipDoctype(text, at + 9);
    else return at;
  }
}
