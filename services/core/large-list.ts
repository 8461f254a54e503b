/** As much as a list reads before it is answered; one of no more is answered as a whole. In bytes of row. */
export const wholeListBytes = 1024 * 1024;
/** As much as a list reads at once afterwards, single rows that are larger apart, and as the pieces of a large text have. */
export const batchBytes = 256 * 1024;
/** Pieces of three times so many bytes make base64 without padding between them. */
const base64Bytes = 3 * 64 * 1024;

/** Something that is read when it is needed. */
export interface Chunk<T> {
  /** The memory that reading it takes, in bytes. */
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

/** A text that is too large to be read at once, and where it lies. */
export interface LargeTextSource {
  /** SHA-256 of all its bytes: what stands for it in the record's entity tag. */
  hash: string;
  /** As what the bytes stand in the text. */
  encoding: 'utf8' | 'base64';
  /** Finds the bytes, in pieces of `step` bytes. Throws MissingObject. */
  open(step: number): Promise<LargeBytes>;
}

/** A text member of a record that is too large to be read at once. It is looked for when the record is sent, in no transaction. */
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

  /** Its bytes in pieces. Throws MissingObject. */
  open(): Promise<LargeBytes> {
    this.#found ??= this.#find(this.encoding === 'base64' ? base64Bytes : batchBytes);
    return this.#found;
  }

  /** So that a record of which it is a member has an entity tag without being read. */
  toJSON() {
    return { sha256: this.hash };
  }
}

/** Bytes that are too many to be read at once, as the body of a reply. */
export interface LargeBytes {
  /** Of all pieces together. */
  bytes: number;
  pieces: readonly Chunk<Buffer>[];
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
