/** A template text in the form the lexer reads, with the way back to the author's characters and columns. */
export interface DecodedPlaces {
  /** What the lexer reads. */
  text: string;
  /** A piece of that text as the author wrote it. */
  decode(piece: string): string;
  /** A place in that text, with its column counted in the author's characters. */
  place(line: number, column: number): { line: number; column: number };
}

/**
 * PHP's Twig works on bytes: a name may hold any byte above 0x7e, so `日` is a name. The lexer library knows
 * the same range of characters; handing it the UTF-8 bytes as characters gives the same language.
 */
export function createTextDecoder(source: string): DecodedPlaces {
  if (!/[^\0-\x7f]/.test(source)) {
    return { text: source, decode: (piece) => piece, place: (line, column) => ({ line, column }) };
  }
  const text = Buffer.from(source, 'utf8').toString('latin1');
  const lines = text.split('\n');
  const decode = (piece: string) => (/[^\0-\x7f]/.test(piece) ? Buffer.from(piece, 'latin1').toString('utf8') : piece);
  // Places are asked for in rising order: remembering the last one keeps a long line from costing its square.
  let last = { line: 0, bytes: 0, column: 0 };
  const place = (line: number, column: number) => {
    const bytes = Math.max(column - 1, 0);
    if (last.line !== line || bytes < last.bytes) last = { line, bytes: 0, column: 0 };
    last.column += decode((lines[line - 1] ?? '').slice(last.bytes, bytes)).length;
    last.bytes = bytes;
    return { line, column: last.column + 1 };
  };
  return { text, decode, place };
}
