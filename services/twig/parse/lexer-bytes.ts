/** A template text in the form that the lexer reads, with functions that map it back to the source. */
export interface DecodedPlaces {
  /** The text for the lexer. */
  text: string;
  /** Converts a piece of that text to the source's characters. */
  decode(piece: string): string;
  /** Converts a position in that text to one counted in the source's characters. */
  place(line: number, column: number): { line: number; column: number };
}

/**
 * Creates the text for the lexer. PHP's Twig works on bytes: a name may contain any byte above 0x7e, so `日` is a name.
 * The lexer library accepts the same range of characters, so it is given the UTF-8 bytes as characters.
 */
export function createTextDecoder(source: string): DecodedPlaces {
  if (!/[^\0-\x7f]/.test(source)) {
    return { text: source, decode: (piece) => piece, place: (line, column) => ({ line, column }) };
  }
  const text = Buffer.from(source, 'utf8').toString('latin1');
  const lines = text.split('\n');
  const decode = (piece: string) => (/[^\0-\x7f]/.test(piece) ? Buffer.from(piece, 'latin1').toString('utf8') : piece);
  // Positions are requested in ascending order: keeping the last one avoids quadratic time on long lines.
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
