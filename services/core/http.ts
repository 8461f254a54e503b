import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Db } from './db.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { Chunk, LargeBytes, LargePage } from './large-list.ts';
import type { Scope } from './scopes.ts';

/** What a handler answers; the envelope stage turns it into bytes. */
export type Reply =
  /** Members of `data` may be `LargeText`, which is read while the reply is sent. */
  | { kind: 'record'; status: number; data: object; headers?: Record<string, string> }
  | {
      kind: 'list';
      items: object[];
      /** The records after `items`, which are read while the reply is sent; their members may be `LargeText`. */
      rest?: readonly Chunk<object[]>[];
      pagination: Pagination;
      headers?: Record<string, string>;
    }
  | {
      kind: 'raw';
      status: number;
      body: Buffer | LargeBytes | null;
      contentType: string;
      headers?: Record<string, string>;
    };

export interface Pagination {
  total: number;
  page: number;
  per_page: number;
  total_pages: number;
}

/** The body of a success (spec: Response envelope); its hash is the record's entity tag. A `LargeText` stands in it by its own hash. */
export const recordBody = (data: object): string => JSON.stringify({ success: true, data });

export const ok = (data: object, headers?: Record<string, string>): Reply => ({
  kind: 'record',
  status: 200,
  data,
  headers,
});
export const created = (data: object, headers?: Record<string, string>): Reply => ({
  kind: 'record',
  status: 201,
  data,
  headers,
});
export const accepted = (data: object): Reply => ({ kind: 'record', status: 202, data });
export const noContent = (): Reply => ({ kind: 'raw', status: 204, body: null, contentType: '' });
const paginationOf = (total: number, { page, per_page }: PageQuery): Pagination => ({
  total,
  page,
  per_page,
  total_pages: Math.ceil(total / per_page),
});
export const list = (items: object[], total: number, page: PageQuery): Reply => ({
  kind: 'list',
  items,
  pagination: paginationOf(total, page),
});

/** A list whose records may be large; `present` makes records of rows, with `LargeText` for members that a batch cannot hold. */
export async function largeList<Row>(
  { total, rows, rest }: LargePage<Row>,
  page: PageQuery,
  present: (rows: Row[]) => object[] | Promise<object[]>,
): Promise<Reply> {
  const items = await present(rows);
  const later = rest.map(({ bytes, read }) => ({ bytes, read: async () => present(await read()) }));
  return { kind: 'list', items, rest: later, pagination: paginationOf(total, page) };
}

/** Two Host headers would let two readers of one request see two sites (RFC 9112, section 3.2); Node keeps the first. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** `page` and `per_page` as the pipeline hands them on: checked, and `per_page` at most 100. */
export interface PageQuery {
  page: number;
  per_page: number;
}

/** The key that a request came with. */
export interface ApiKey {
  id: string;
  userId: string;
  scopes: string[];
  sites: string[];
}

/** The site that the path names, as every request reads it. */
export interface Site {
  id: string;
  slug: string;
  name: string;
  domain: string | null;
  /** Further hosts, which the edge redirects to `domain`. */
  aliases: string[];
  default_locale: string;
  locales: { locale: string; name: string }[];
  settings: Record<string, unknown>;
  live_release: string | null;
  preview_release: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A body as bytes read under a limit, or as whatever the route's own reader made of the stream. */
export type BodyKind =
  /** No body is expected: ignored altogether (GET, DELETE). */
  | { kind: 'ignored' }
  /** Content type ignored; empty or `{}` only (contract: Conventions). */
  | { kind: 'empty' }
  /**
   * `application/json`, at most 4 MiB, checked against `schema`; members in `readOnly` are dropped first. What is in the member
   * `apart` the handler judges one by one, dirt that cannot be stored too (`requireStorable`).
   */
  | { kind: 'json'; schema: z.ZodType; readOnly?: readonly string[]; apart?: string }
  /** The bytes as they are, whatever the content type; of large ones so many at once as `atOnce` says, in each process. */
  | { kind: 'raw'; maxBytes: number; atOnce?: number }
  /** The feature reads the request's stream itself, JSON apart, which it may take too. */
  | {
      kind: 'custom';
      contentTypes: readonly string[];
      schema?: z.ZodType;
      readOnly?: readonly string[];
      read: (input: CustomBodyInput) => Promise<CustomBody>;
    };

/** What a route's own reader made of a body: `hash` is what idempotency compares. */
export interface CustomBody {
  value: unknown;
  hash: string;
  /** What is wrong with the content, `validation_failed`: told after idempotency (contract: order of checks). */
  fault?: Problem;
}

export interface CustomBodyInput {
  app: unknown;
  site: Site | undefined;
  headers: Record<string, string | undefined>;
  /** The request's bytes with `Content-Encoding` undone, not yet limited. */
  stream: Readable;
}

/** One entry of the API: the pipeline, the OpenAPI document and the guides all read it. A route without a scope does not boot. */
export interface Route<App = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `:name` parameters; a trailing `*` takes the rest of the path. */
  path: string;
  scope: Scope;
  summary: string;
  tag: string;
  query?: z.ZodType;
  body: BodyKind;
  /** The record's schema for the OpenAPI document. */
  reply: { status: number; schema?: z.ZodType; list?: boolean; raw?: boolean; description?: string };
  /** Catalogue errors that this route can answer beyond those of the stages. */
  errors?: readonly ErrorCode[];
  /** Whether all of the handler's statements must be one transaction even without an idempotency key; it may depend on the body. */
  atomic?: boolean | ((body: Loose) => boolean);
  /** Runs before the transaction: slow work, uploads, other engines. Its answer is the handler's `prepared`. */
  prepare?: (input: HandlerInput<App>) => Promise<unknown>;
  handler: (input: HandlerInput<App>) => Promise<Reply>;
}

// biome-ignore lint/suspicious/noExplicitAny: the pipeline holds routes of every body and query type in one list
type Loose = any;

export interface HandlerInput<App = unknown, Body = Loose, Query = Loose, Prepared = Loose> {
  app: App;
  /** The pool, or the transaction in which the reply is stored too. Handlers and their SQL use nothing else. */
  db: Db;
  key: ApiKey;
  /** Present on every route below `/sites/:site`. */
  site: Site;
  params: Record<string, string>;
  query: Query;
  body: Body;
  prepared: Prepared;
  headers: Record<string, string | undefined>;
  /** The members that a GET asks for; undefined for all. A handler need not read the others, the reply leaves them out anyway. */
  fields: ReadonlySet<string> | undefined;
  requestId: string;
  /** Runs once the transaction is committed: wake-ups only, for it may never run. */
  afterCommit(work: () => void): void;
}
