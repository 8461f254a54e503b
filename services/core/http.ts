import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Db } from './db.ts';
import type { ErrorCode, Problem } from './errors.ts';
import type { Channel } from './principal.ts';
import type { Reply } from './reply.ts';
import type { UserRoles, Writer } from './roles.ts';
import type { Scope } from './scopes.ts';

/**
 * Counts the Host headers: with two, different programs could route one request to different sites (RFC 9112, section
 * 3.2); Node keeps the first.
 */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** An authenticated API key. */
export interface ApiKey {
  id: string;
  userId: string;
  scopes: string[];
  sites: string[];
  /** The current roles of its user: a key never exceeds its user. */
  roles: UserRoles;
}

/**
 * The authenticated caller of an operation: a key, a session of the dashboard, or an agent; `id` is that of the key,
 * session or grant.
 */
export interface Caller extends ApiKey {
  via: Extract<Channel, 'key' | 'dashboard' | 'agent'>;
  /** The name that an agent gave itself. */
  name?: string;
}

/** The site of a request, read again for every request. */
export interface Site {
  id: string;
  slug: string;
  name: string;
  domain: string | null;
  /** Additional hosts, which the edge redirects to `domain`. */
  aliases: string[];
  default_locale: string;
  locales: { locale: string; name: string }[];
  settings: Record<string, unknown>;
  live_release: string | null;
  preview_release: string | null;
  created_at: Date;
  updated_at: Date;
}

/** How a route reads its body: as bytes under a limit, or with its own reader. */
export type BodyKind =
  /** No body is expected; one that is sent is ignored (GET, DELETE). */
  | { kind: 'ignored' }
  /** Content type ignored; empty or `{}` only (contract: Conventions). */
  | { kind: 'empty' }
  /**
   * `application/json`, at most 4 MiB, checked against `schema`; members in `readOnly` are dropped first. The handler
   * checks the entries of the member `apart` one by one, including text that cannot be stored (`requireStorable`).
   */
  | { kind: 'json'; schema: z.ZodType; readOnly?: readonly string[]; apart?: string }
  /** The unchanged bytes, whatever the content type; each process reads at most `atOnce` large ones concurrently. */
  | { kind: 'raw'; maxBytes: number; atOnce?: number }
  /** A protocol's own server reads the request and writes the reply: the handler gets the `exchange`. */
  | { kind: 'protocol' }
  /** The feature reads the request's stream itself, except for JSON, which it may accept too. */
  | {
      kind: 'custom';
      contentTypes: readonly string[];
      schema?: z.ZodType;
      readOnly?: readonly string[];
      read: (input: CustomBodyInput) => Promise<CustomBody>;
    };

/** The result of a route's own reader; idempotency compares `hash`. */
export interface CustomBody {
  value: unknown;
  hash: string;
  /** A fault of the content, `validation_failed`: thrown after the idempotency stage (contract: order of checks). */
  fault?: Problem;
}

export interface CustomBodyInput {
  app: unknown;
  /** Whose request it is. */
  userId: string;
  site: Site | undefined;
  headers: Record<string, string | undefined>;
  /** The request's bytes with `Content-Encoding` decoded, not yet limited. */
  stream: Readable;
}

/** A default that a route does not follow, with the reason. */
export interface OptOut {
  none: string;
}

/**
 * A route of the API, completely described: the pipeline, the OpenAPI document, the client and the guides read
 * nothing else. Schemas of records and bodies carry their name and example: `.meta({ id, example })`.
 */
export interface Route<App = unknown> {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `:name` parameters; a trailing `*` matches the rest of the path. */
  path: string;
  /** The stable name of the operation; clients have a method of this name. */
  operationId: string;
  scope: Scope;
  summary: string;
  /** Details beyond the summary. */
  description?: string;
  tag: string;
  query?: z.ZodType;
  body: BodyKind;
  /**
   * Returns the slug of the site that the request concerns, if the path does not name it. Throws what a protocol
   * rejects before that.
   */
  siteOf?: (input: SiteInput<App>) => Promise<string>;
  /** The record's schema for the OpenAPI document. */
  reply: { status: number; schema?: z.ZodType; list?: boolean; raw?: boolean; description?: string };
  /**
   * The entity tag of the record that the request changes, read in the handler's transaction with a lock on its row;
   * undefined when there is no such record. A route that declares it honours `If-Match`, and a PUT `If-None-Match` too
   * (contract: Lost updates).
   */
  etag?: (input: HandlerInput<App>) => Promise<string | undefined>;
  /** Errors of the catalogue that this route can return in addition to those of the stages. */
  errors?: readonly ErrorCode[];
  /** The handler of every method but GET and HEAD runs in one retried transaction, unless the route gives a reason. */
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
  /** Objects that the reply contains: read outside the transaction, which then runs again. */
  objects: { getBytes(hash: string): Promise<Buffer> };
  caller: Caller;
  /** The caller's user, and whether only their own records may be changed. */
  writer: Writer;
  /** Set on every route below `/sites/:site`. */
  site: Site;
  params: Record<string, string>;
  query: Query;
  body: Body;
  prepared: Prepared;
  headers: Record<string, string | undefined>;
  /**
   * The members that a GET requests; undefined for all. A handler need not read the others; the reply omits them
   * anyway.
   */
  fields: ReadonlySet<string> | undefined;
  requestId: string;
  /** The request and response themselves, for a `protocol`. */
  exchange: { req: IncomingMessage; res: ServerResponse };
  /** Runs after the transaction has committed: only for wakes, since it may never run. */
  afterCommit(work: () => void): void;
}
