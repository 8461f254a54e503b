/** Maximum bytes of rows that a list reads before its reply starts; a smaller list is returned as a whole. */
export const wholeListBytes = 1024 * 1024;
/**
 * Maximum bytes read at once afterwards, except for single rows that are larger; also the size of the pieces of a large
 * text.
 */
export const batchBytes = 256 * 1024;
/** Pieces of a multiple of three bytes give base64 without padding between them. */
const base64Bytes = 3 * 64 * 1024;

/** A part that is read when needed. */
export interface Chunk<T> {
  /** Bytes of memory that reading it takes. */
  bytes: number;
  read(): Promise<T>;
}

/** Divides `bytes` bytes, of which `read` reads a range, into pieces of `step` bytes. */
export function inPieces(
  bytes: number,
  step: number,
  read: (start: number, bytes: number) => Promise<Buffer>,
): Chunk<Buffer>[] {
  return Array.from({ length: Math.ceil(bytes / step) }, (_, index) => {
    const start = index * step;
    const length = Math.min(step, bytes - start);
    return { bytes: length, read: () => read(start, length) };
  });
}

/** The source of a text that is too large to be read at once. */
export interface LargeTextSource {
  /** SHA-256 of all its bytes, which represents it in the record's entity tag. */
  hash: string;
  /** How the bytes are encoded in the text. */
  encoding: 'utf8' | 'base64';
  /** Opens the bytes, in pieces of `step` bytes. Throws MissingObject. */
  open(step: number): Promise<LargeBytes>;
}

/**
 * A text member of a record that is too large to be read at once. It is located when the record is sent, outside any
 * transaction.
 */
export class LargeText {
  readonly hash: string;
  readonly encoding: LargeTextSource['encoding'];
  readonly #find: LargeTextSource['open'];
  #found: Promise<LargeBytes> | undefined;

  constructor({ hash, encoding, open }: LargeTextSource) {
    this.hash = hash;
    this.encoding = encoding;
    this.#find = open;
  }

  /** Opens its bytes, in pieces. Throws MissingObject. */
  open(): Promise<LargeBytes> {
    this.#found ??= this.#find(this.encoding === 'base64' ? base64Bytes : batchBytes);
    return this.#found;
  }

  /** Returns the hash in place of the text: the entity tag of a record is computed without reading the text. */
  toJSON() {
    return { sha256: this.hash };
  }
}

/** The body of a reply that is too large to be read at once. */
export interface LargeBytes {
  /** Total size of all pieces. */
  bytes: number;
  pieces: readonly Chunk<Buffer>[];
}

/** The rows of a page that have been read, and those that are read while the reply is sent. */
export interface LargePage<Row> {
  /** Number of rows of all pages. */
  total: number;
  rows: Row[];
  rest: readonly Chunk<Row[]>[];
}

/**
 * Divides rows by size: the first ones up to `wholeListBytes`, then consecutive batches of at most `batchBytes`, or of
 * one row.
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

/** Returns every row of a page, for callers that need not save memory: the command line, a guide. */
export async function readWholePage<Row>({ rows, rest }: LargePage<Row>): Promise<Row[]> {
  const all = [...rows];
  for (const { read } of rest) all.push(...(await read()));
  return all;
}
