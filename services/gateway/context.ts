import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteHold } from '../core/byte-budget.ts';
import type { Db } from '../core/db.ts';
import type { Problem } from '../core/errors.ts';
import type { Caller, Site } from '../core/http.ts';
import type { Reply } from '../core/reply.ts';
import type { Writer } from '../core/roles.ts';
import type { App } from '../features/app.ts';
import type { Session } from '../features/dashboard-route.ts';
import type { AppRoute } from '../features/route.ts';

/** One request as it passes the stages; each stage sets members that later stages read. */
export interface Context {
  app: App;
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  method: string;
  /** The path as sent: percent-encoded, without the query. */
  path: string;
  search: string;
  /** The part of the path, as sent, that matches the wildcard at the end of the route's pattern. */
  rest?: string;
  clientIp: string;
  /** The pattern of the route, for metrics and traces; never the path itself. */
  pattern?: string;
  /**
   * Runs work in the request's context: its log lines carry the request's id, its spans are children of the request's.
   */
  within: <T>(work: () => T) => T;
  /** Sent with every reply, errors included. */
  replyHeaders: Record<string, string>;
  caller?: Caller;
  writer?: Writer;
  /** The session of a dashboard call. */
  session?: Session;
  /** The account that sign-in attempts count against, in addition to the client's address. */
  account?: string;
  route?: AppRoute;
  params: Record<string, string>;
  /** The slug of the site that the request concerns; undefined if it concerns none. */
  siteSlug?: string;
  site?: Site;
  /** The site for the slug in the path, which the key's statement reads before the request is routed. */
  readSite?: { slug: string; site: Site | undefined };
  /** Raw bytes, parsed JSON, or the value that a route's own reader returned. */
  body?: unknown;
  bodyHash?: string;
  /** The fault of a well-formed but invalid body, thrown by the validation stage (contract: order of checks). */
  bodyFault?: Problem;
  query?: unknown;
  /** The members that a GET requests; undefined for all. */
  fields?: ReadonlySet<string> | undefined;
  /** The memory that a list or a large reply may use, until the reply is sent or the client disconnects. */
  memory?: ByteHold;
  /** Opens `memory`, unless it is open. */
  takeMemory?: () => ByteHold;
  claim?: IdempotencyClaim;
}

/** The right to run one idempotent request. */
export interface IdempotencyClaim {
  /** Stores the reply, in the handler's transaction. Throws 409 if another request holds the claim meanwhile. */
  complete(db: Db, reply: Reply): Promise<void>;
  /** Frees the key, so that a retry can succeed. */
  release(): Promise<void>;
  /** Stops renewing the lock. */
  stop(): void;
}

/** Returns undefined to continue with the next stage or a reply to end the request, or throws a Problem. */
export type Stage = (ctx: Context) => Promise<Reply | undefined> | Reply | undefined;

/** Returns the value of a header that may occur once; undefined when it is missing or repeated. */
export function headerOf({ req }: Pick<Context, 'req'>, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
