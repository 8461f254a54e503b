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

/** `page` and `per_page` as validated by the pipeline; `per_page` is at most 100. */
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

/** A stored body: its text, its large texts, and pieces that are read while it is sent. */
export interface StoredBody {
  segments: readonly (string | LargeText | Chunk<Buffer>)[];
}

/** A body that is read while it is sent. */
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
 * A longer record, in characters, is written in parts. Only the reply to a batch is that long, or a record with a
 * `LargeText`; without a `LargeText` it has no entity tag.
 */
const wholeRecordChars = 2 * 1024 * 1024;

/** Renders the body of a success (spec: Response envelope). */
const recordBody = (data: object): string => JSON.stringify({ success: true, data });

/**
 * Returns the strong entity tag of a record (contract: Lost updates): the hash of all its members, including those that
 * a reply omits. A `LargeText` is represented by its own hash.
 */
export const tagOf = (record: object): string => etagOf(recordBody(record));

/**
 * The reply to a request, from the handler to the socket and in the idempotency record. Its body is serialized and its
 * tag computed once, when they are first read.
 */
export class Reply {
  readonly status: number;
  readonly #content: Content;
  readonly #headers: Headers;
  #fields: ReadonlySet<string> | undefined;
  #bytes: Buffer | null | undefined;
  #large: LargeBody | null | undefined;
  #allHeaders: Headers | undefined;

  constructor(status: number, content: Content, headers: Headers = {}) {
    this.status = status;
    this.#content = content;
    this.#headers = headers;
  }

  /** Keeps only these members of the records; undefined keeps all. */
  keepFields(fields: ReadonlySet<string> | undefined): this {
    this.#fields = fields;
    this.#bytes = undefined;
    this.#large = undefined;
    this.#allHeaders = undefined;
    return this;
  }

  /** The whole record of a success that has one. */
  get record(): object | undefined {
    return this.#content.kind === 'record' ? this.#content.data : undefined;
  }

  /** The body that is read while it is sent, instead of `bytes`. */
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

  /** The body as it is sent and stored; null if empty or large. */
  get bytes(): Buffer | null {
    if (this.#bytes === undefined) this.#bytes = this.#serialise();
    return this.#bytes;
  }

  get headers(): Record<string, string> {
    this.#allHeaders ??= this.#makeHeaders();
    return { ...this.#allHeaders };
  }

  #makeHeaders(): Headers {
    const { kind } = this.#content;
    if (kind === 'bytes') return { ...this.#headers };
    if (kind === 'large') return { ...this.#headers, ...lengthOf(this.large!) };
    const etag = kind === 'json' || 'ETag' in this.#headers ? undefined : this.#tag();
    return { 'Content-Type': jsonType, ...(etag === undefined ? {} : { ETag: etag }), ...this.#headers };
  }

  #tag(): string | undefined {
    const content = this.#content;
    if (content.kind !== 'record') return this.large ? undefined : etagOf(this.bytes!);
    if (!this.#fields && !this.large) return etagOf(this.bytes!); // the same as `tagOf`, without a second serialisation
    const isUntagged = isLongerThan(content.data, wholeRecordChars) && largeTextsOf(content.data).length === 0;
    return isUntagged ? undefined : tagOf(content.data);
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

/** Returns `Content-Length` for bytes, the only bodies whose length is known in advance. */
const lengthOf = (body: LargeBody): Headers => ('bytes' in body ? { 'Content-Length': String(body.bytes) } : {});

const record = (status: number, data: object, etag?: string) =>
  new Reply(status, { kind: 'record', data }, etag === undefined ? {} : { ETag: etag });

/** Creates a 200 reply with a record. `etag`: the record's entity tag, if `data` is not exactly the record. */
export const ok = (data: object, etag?: string): Reply => record(200, data, etag);
/** Creates a 201 reply with the record that the request created. */
export const created = (data: object, etag?: string): Reply => record(201, data, etag);
export const accepted = (data: object): Reply => record(202, data);
/** Creates a reply without a body. */
export const empty = (status: number, headers?: Headers): Reply =>
  new Reply(status, { kind: 'bytes', bytes: null }, headers);
export const noContent = (): Reply => empty(204);
/** Creates a reply of bytes without the envelope; `headers` contain their type. */
export const raw = (status: number, body: Buffer | string | null, headers: Headers): Reply =>
  new Reply(status, { kind: 'bytes', bytes: body === null ? null : Buffer.from(body) }, headers);
/** Creates such a reply with a body that is read while it is sent. */
export const rawLarge = (status: number, body: LargeBytes | StoredBody, headers: Headers): Reply =>
  new Reply(status, { kind: 'large', body }, headers);
/** Creates a reply of JSON with its own envelope, without an entity tag. */
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

/**
 * Creates a list whose records may be large; `present` converts rows to records, with `LargeText` for members that do
 * not fit in a batch.
 */
export async function largeList<Row>(
  { total, rows, rest }: LargePage<Row>,
  page: PageQuery,
  present: (rows: Row[]) => object[] | Promise<object[]>,
): Promise<Reply> {
  const items = await present(rows);
  const later = rest.map(({ bytes, read }) => ({ bytes, read: async () => present(await read()) }));
  return new Reply(200, { kind: 'list', items, rest: later, pagination: paginationOf(total, page) });
}
