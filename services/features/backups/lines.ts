import { compress } from './archive.ts';

type RowValue = string | number | boolean | string[] | null;
export type Row = Record<string, RowValue>;
/** A row and its table: one line of a backup. */
export type Line = [table: string, row: Row];

/** Text is compressed in pieces of this many characters. */
const pieceChars = 4 * 1024 * 1024;

/**
 * Creates a writer for the lines of a backup's document. The text of a large site exceeds the maximum length of a
 * string, so it is never built as one.
 */
export function createLineWriter() {
  const pieces: Buffer[] = [];
  const rows: Record<string, number> = {};
  let open: string[] = [];
  let chars = 0;

  async function seal(): Promise<void> {
    pieces.push(await compress(open.join('')));
    open = [];
    chars = 0;
  }

  return {
    /** Number of lines by table. */
    rows,
    async add(line: Line): Promise<void> {
      const text = `${JSON.stringify(line)}\n`;
      rows[line[0]] = (rows[line[0]] ?? 0) + 1;
      open.push(text);
      chars += text.length;
      if (chars >= pieceChars) await seal();
    },
    /** Returns the whole document, compressed. */
    async end(): Promise<Buffer> {
      await seal();
      return Buffer.concat(pieces);
    },
  };
}

/** Parses the lines of a backup's document. */
export function parseLines(data: Buffer): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < data.length; ) {
    const next = data.indexOf('\n', start);
    const end = next < 0 ? data.length : next;
    if (end > start) lines.push(JSON.parse(data.toString('utf8', start, end)) as Line);
    start = end + 1;
  }
  return lines;
}

/** Returns the rows of one table among lines. */
export function rowsOf(lines: readonly Line[], table: string): Row[] {
  return lines.filter(([name]) => name === table).map(([, row]) => row);
}
