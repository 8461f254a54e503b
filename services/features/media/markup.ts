const blank = /[\s\u0000]/;

/** Where `mark` ends after `from`, or the end of the text when it never does. */
function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

/** The end of white space and comments that begin at `start`. Takes linear time whatever the text is. */
export function skipSpaceAndComments(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    if (blank.test(text[at]!)) at++;
    else if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else break;
  }
  return at;
}

/** The end of a document type, its internal subset included. */
function skipDoctype(text: string, start: number): number {
  let inSubset = false;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '[') inSubset = true;
    else if (text[at] === ']') inSubset = false;
    else if (text[at] === '>' && !inSubset) return at + 1;
  }
  return text.length;
}

/** Where the root element of an XML document begins: after white space, comments, instructions and its type. */
export function skipProlog(text: string): number {
  let at = 0;
  for (;;) {
    at = skipSpaceAndComments(text, at);
    if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) at = skipDoctype(text, at + 9);
    else return at;
  }
}
