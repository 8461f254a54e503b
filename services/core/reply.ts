import { etagOf } from './etag.ts';
import { pickFields } from './fields.ts';
import { isLongerThan, largeTextsOf } from './json-parts.ts';
import type { Chunk, LargeBytes, LargePage, LargeText } from './large-list.ts';

export interface Pagination {
  total: number;
  page: number;
  per_page: number;
  total_pages: number;
}

/** `page` and `per_page` as the pipeline hands them on: checked, and `per_page` at most 100. */
export interface PageQuery {
  page: number;
  per_page: number;
}

/** A list whose later records are read while it is sent. */
export interface LargeListBody {
  items: object[];
  rest: readonly Chunk<object[]>[];
  pagination: Pagination;
  fields: ReadonlySet<string> | undefined;
}

/** A record that is long, or that has members which are read while it is sent. */
export interface LargeRecordBody {
  record: object;
}

/** A body as it was stored: its text, what is large in it, and pieces that are read while it is sent. */
export interface StoredBody {
  segments: readonly (string | LargeText | Chunk<Buffer>)[];
}

/** What is sent while it is read. */
export type LargeBody = LargeListBody | LargeRecordBody | LargeBytes | StoredBody;

type Headers = Readonly<Record<string, string>>;
type Content =
  | { kind: 'record'; data: object }
  | { kind: 'list'; items: object[]; rest: readonly Chunk<object[]>[]; pagination: Pagination }
  | { kind: 'json'; value: object }
  | { kind: 'bytes'; bytes: Buffer | null }
  | { kind: 'large'; body: LargeBytes | StoredBody };

const jsonType = 'application/json; charset=utf-8';

/**
 * A record of more characters is written in parts. Only a batch has so many, and a record with a `LargeText`. A long one without has
 * no entity tag, since nothing but the reply to a batch is so long.
 */
const wholeRecordChars = 2 * 1024 * 1024;

/** The body of a success (spec: Response envelope); its hash is the record's entity tag. A `LargeText` stands in it by its own hash. */
export const recordBody = (data: object): string => JSON.stringify({ success: true, data });

/**
 * What a request is answered with, from the handler to the socket and in the idempotency record. Its body is serialised once, when
 * its bytes are first asked for.
 */
export class Reply {
  readonly status: number;
  readonly #content: Content;
  readonly #headers: Headers;
  #fields: ReadonlySet<string> | undefined;
  #bytes: Buffer | null | undefined;
  #large: LargeBody | null | undefined;

  constructor(status: number, content: Content, headers: Headers = {}) {
    this.status = status;
    this.#content = content;
    this.#headers = headers;
  }

  /** Keeps these members of the records; undefined keeps all. */
  keepFields(fields: ReadonlySet<string> | undefined): this {
    this.#fields = fields;
    this.#bytes = undefined;
    this.#large = undefined;
    return this;
  }

  /** The whole record of a success that has one. */
  get record(): object | undefined {
    return this.#content.kind === 'record' ? this.#content.data : undefined;
  }

  /** In place of `bytes`: what is read while it is sent. */
  get large(): LargeBody | undefined {
    if (this.#large === undefined) this.#large = this.#findLarge();
    return this.#large ?? undefined;
  }

  #findLarge(): LargeBody | null {
    const content = this.#content;
    if (content.kind === 'large') return content.body;
    if (content.kind === 'list' && content.rest.length > 0)
      return { items: content.items, rest: content.rest, pagination: content.pagination, fields: this.#fields };
    if (content.kind !== 'record') return null;
    const record = pickFields(content.data, this.#fields);
    return isLongerThan(record, wholeRecordChars) ? { record } : null;
  }

  /** The body as it is sent and stored; null for none, and for a large one. */
  get bytes(): Buffer | null {
    if (this.#bytes === undefined) this.#bytes = this.#serialise();
    return this.#bytes;
  }

  get headers(): Record<string, string> {
    const { kind } = this.#content;
    if (kind === 'bytes') return { ...this.#headers };
    if (kind === 'large') return { ...this.#headers, ...lengthOf(this.large!) };
    const etag = kind === 'json' ? undefined : this.#tag();
    return { 'Content-Type': jsonType, ...(etag === undefined ? {} : { ETag: etag }), ...this.#headers };
  }

  #tag(): string | undefined {
    const { large } = this;
    if (!large) return etagOf(this.bytes!);
    return 'record' in large && largeTextsOf(large.record).length > 0 ? etagOf(recordBody(large.record)) : undefined;
  }

  #serialise(): Buffer | null {
    const content = this.#content;
    if (this.large) return null;
    switch (content.kind) {
      case 'large':
        return null;
      case 'bytes':
        return content.bytes;
      case 'json':
        return Buffer.from(JSON.stringify(content.value));
      case 'record':
        return Buffer.from(recordBody(pickFields(content.data, this.#fields)));
      case 'list': {
        const data = content.items.map((item) => pickFields(item, this.#fields));
        return Buffer.from(JSON.stringify({ success: true, data, pagination: content.pagination }));
      }
    }
  }
}

/** Of bytes it is known beforehand. */
const lengthOf = (body: LargeBody): Headers => ('bytes' in body ? { 'Content-Length': String(body.bytes) } : {});

const record = (status: number, data: object) => new Reply(status, { kind: 'record', data });

export const ok = (data: object): Reply => record(200, data);
export const created = (data: object): Reply => record(201, data);
export const accepted = (data: object): Reply => record(202, data);
/** A reply without a body. */
export const empty = (status: number, headers?: Headers): Reply =>
  new Reply(status, { kind: 'bytes', bytes: null }, headers);
export const noContent = (): Reply => empty(204);
/** Bytes without the envelope; their type is among the headers. */
export const raw = (status: number, body: Buffer | string | null, headers: Headers): Reply =>
  new Reply(status, { kind: 'bytes', bytes: body === null ? null : Buffer.from(body) }, headers);
/** The same for what is sent while it is read. */
export const rawLarge = (status: number, body: LargeBytes | StoredBody, headers: Headers): Reply =>
  new Reply(status, { kind: 'large', body }, headers);
/** An envelope of its own, without an entity tag. */
export const json = (status: number, value: object, headers: Headers): Reply =>
  new Reply(status, { kind: 'json', value }, headers);

const paginationOf = (total: number, { page, per_page }: PageQuery): Pagination => ({
  total,
  page,
  per_page,
  total_pages: Math.ceil(total / per_page),
});

export const list = (items: object[], total: number, page: PageQuery): Reply =>
  new Reply(200, { kind: 'list', items, rest: [], pagination: paginationOf(total, page) });

/** A list whose records may be large; `present` makes records of rows, with `LargeText` for members that a batch cannot hold. */
export async function largeList<Row>(
  { total, rows, rest }: LargePage<Row>,
  page: PageQuery,
  present: (rows: Row[]) => object[] | Promise<object[]>,
): Promise<Reply> {
  const items = await present(rows);
  const later = rest.map(({ bytes, read }) => ({ bytes, read: async () => present(await read()) }));
  return new Reply(200, { kind: 'list', items, rest: later, pagination: paginationOf(total, page) });
}
