import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Db } from './db.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { Reply } from './reply.ts';
import type { UserRoles, Writer } from './roles.ts';
import type { Scope } from './scopes.ts';

/** Two Host headers would let two readers of one request see two sites (RFC 9112, section 3.2); Node keeps the first. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** The key that a request came with. */
export interface ApiKey {
  id: string;
  userId: string;
  scopes: string[];
  sites: string[];
  /** What its user is at the moment: a key never exceeds its user. */
  roles: UserRoles;
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
  /** A protocol's own server reads the request and writes the reply: the handler has the `exchange`. */
  | { kind: 'protocol' }
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
  /** Whose request it is. */
  userId: string;
  site: Site | undefined;
  headers: Record<string, string | undefined>;
  /** The request's bytes with `Content-Encoding` undone, not yet limited. */
  stream: Readable;
}

/** A default that a route does not follow, with the reason. */
export interface OptOut {
  none: string;
}

/**
 * One entry of the API, and all that is said of it: the pipeline, the OpenAPI document, the client and the guides read nothing else.
 * Schemas of records and bodies carry their name and example: `.meta({ id, example })`.
 */
export interface Route<App = unknown> {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `:name` parameters; a trailing `*` takes the rest of the path. */
  path: string;
  /** The stable name of the operation; clients have a method of this name. */
  operationId: string;
  scope: Scope;
  summary: string;
  /** What there is to know beyond the summary. */
  description?: string;
  tag: string;
  query?: z.ZodType;
  body: BodyKind;
  /** The slug of the site that the request concerns, where the path does not name it. Throws what a protocol rejects before that. */
  siteOf?: (input: SiteInput<App>) => Promise<string>;
  /** The record's schema for the OpenAPI document. */
  reply: { status: number; schema?: z.ZodType; list?: boolean; raw?: boolean; description?: string };
  /** Catalogue errors that this route can answer beyond those of the stages. */
  errors?: readonly ErrorCode[];
  /** The handler of every method but GET and HEAD runs in one retried transaction, unless the route says why not. */
  transaction?: OptOut;
  /** Runs once, before the transaction: slow work, objects, other engines. Its result is the handler's `prepared`. */
  prepare?: (input: HandlerInput<App>) => Promise<unknown>;
  handler: (input: HandlerInput<App>) => Promise<Reply>;
}

// biome-ignore lint/suspicious/noExplicitAny: the pipeline holds routes of every body and query type in one list
type Loose = any;

/** A request before its site is known. */
export interface SiteInput<App = unknown> {
  app: App;
  params: Record<string, string>;
  headers: Record<string, string | undefined>;
}

export interface HandlerInput<App = unknown, Body = Loose, Query = Loose, Prepared = Loose> {
  app: App;
  /** The pool, or the transaction in which the reply is stored too. Handlers and their SQL use nothing else. */
  db: Db;
  /** Objects that the reply shows: read outside the transaction, which runs again with them. */
  objects: { getBytes(hash: string): Promise<Buffer> };
  key: ApiKey;
  /** The key's user, and whether only their own records may be changed. */
  writer: Writer;
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
  /** The request and response themselves, for a `protocol`. */
  exchange: { req: IncomingMessage; res: ServerResponse };
  /** Runs once the transaction is committed: wake-ups only, for it may never run. */
  afterCommit(work: () => void): void;
}
