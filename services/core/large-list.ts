/** As much as a list reads before it is answered; one of no more is answered as a whole. In bytes of row. */
export const wholeListBytes = 1024 * 1024;
/** As much as a list reads at once afterwards, single rows that are larger apart, and as the pieces of a large text have. */
export const batchBytes = 256 * 1024;

/** Something that is read when it is needed. */
export interface Chunk<T> {
  /** The memory that reading it takes, in bytes. */
  bytes: number;
  read(): Promise<T>;
}

/** A text member of a record that is too large to be read at once: its UTF-8 bytes, in pieces. */
export class LargeText {
  readonly pieces: readonly Chunk<Buffer>[];

  constructor(pieces: readonly Chunk<Buffer>[]) {
    this.pieces = pieces;
  }
}

/** Rows of a page that are read already, and those that are read while the reply is sent. */
export interface LargePage<Row> {
  /** Of all pages together. */
  total: number;
  rows: Row[];
  rest: readonly Chunk<Row[]>[];
}

/**
 * Divides rows by their bytes: the first ones up to `wholeListBytes`, then consecutive batches of at most `batchBytes`, or of one
 * row.
 */
export function planPage<Row>(rows: readonly Row[], bytesOf: (row: Row) => number) {
  let upto = 0;
  const end = rows.findIndex((row) => {
    upto += bytesOf(row);
    return upto > wholeListBytes;
  });
  const batches: { rows: Row[]; bytes: number }[] = [];
  for (const row of end < 0 ? [] : rows.slice(end)) {
    const last = batches.at(-1);
    const bytes = bytesOf(row);
    if (last && last.bytes + bytes <= batchBytes) {
      last.rows.push(row);
      last.bytes += bytes;
    } else batches.push({ rows: [row], bytes });
  }
  return { first: end < 0 ? [...rows] : rows.slice(0, end), batches };
}

/** Every row of a page, for callers that need not save memory: the command line, a guide. */
export async function readWholePage<Row>({ rows, rest }: LargePage<Row>): Promise<Row[]> {
  const all = [...rows];
  for (const { read } of rest) all.push(...(await read()));
  return all;
}
