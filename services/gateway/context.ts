import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteHold } from '../core/byte-budget.ts';
import type { Db } from '../core/db.ts';
import type { Problem } from '../core/errors.ts';
import type { ApiKey, Site } from '../core/http.ts';
import type { Reply } from '../core/reply.ts';
import type { Writer } from '../core/roles.ts';
import type { App } from '../features/app.ts';
import type { Session } from '../features/dashboard-route.ts';
import type { AppRoute } from '../features/route.ts';

/** One request on its way down the stages; each stage fills in what the later ones need. */
export interface Context {
  app: App;
  req: IncomingMessage;
  res: ServerResponse;
  requestId: string;
  method: string;
  /** The path as sent, percent-encoded, without the query. */
  path: string;
  search: string;
  /** What the path has, as sent, where the pattern of its route ends in a wildcard. */
  rest?: string;
  clientIp: string;
  /** The pattern of the route, for metrics and traces: never the path itself. */
  pattern?: string;
  /** Runs work as part of the request: its logs carry the request's id, its spans belong to the request's. */
  within: <T>(work: () => T) => T;
  /** Sent with the reply whatever it is. */
  replyHeaders: Record<string, string>;
  key?: ApiKey;
  writer?: Writer;
  /** Of a call of the dashboard. */
  session?: Session;
  /** What attempts to sign in count against, beside the client's address. */
  account?: string;
  route?: AppRoute;
  params: Record<string, string>;
  /** The slug of the site that the request concerns, where it concerns one. */
  siteSlug?: string;
  site?: Site;
  /** Raw bytes, parsed JSON, or what a route's own reader made. */
  body?: unknown;
  bodyHash?: string;
  /** What a well-formed body cannot be taken for: told where validation stands (contract: order of checks). */
  bodyFault?: Problem;
  query?: unknown;
  /** The members that a GET asks for; undefined for all. */
  fields?: ReadonlySet<string> | undefined;
  /** The memory that a list or a large reply may use, until the reply is out or the client is gone. */
  memory?: ByteHold;
  /** Opens that memory, unless it is open. */
  takeMemory?: () => ByteHold;
  claim?: IdempotencyClaim;
}

/** The right to run one idempotent request. */
export interface IdempotencyClaim {
  /** Stores the reply, in the handler's transaction. Throws 409 when the claim was lost to another request. */
  complete(db: Db, reply: Reply): Promise<void>;
  /** Frees the key, so that a real retry can succeed. */
  release(): Promise<void>;
  /** Ends the renewal of the lock. */
  stop(): void;
}

/** A stage returns nothing to go on, a reply to end the request, or throws a Problem. */
export type Stage = (ctx: Context) => Promise<Reply | undefined> | Reply | undefined;

/** A header that may be sent once; undefined when it is not, or more than once. */
export function headerOf({ req }: Pick<Context, 'req'>, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}
