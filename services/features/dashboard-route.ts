import type { z } from 'zod';
import type { Db } from '../core/db.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { OptOut, Site } from '../core/http.ts';
import type { Reply } from '../core/reply.ts';
import type { UserRoles } from '../core/roles.ts';
import type { OperationKind } from './access/index.ts';
import type { App } from './app.ts';

/** The session of a request; it is read again on every request. */
export interface Session {
  id: string;
  userId: string;
  email: string;
  name: string | null;
  /** The user's current roles. */
  roles: UserRoles;
  /** The second factor is missing: only the calls for it and for signing out are allowed. */
  awaitsTotp: boolean;
  createdAt: Date;
}

export type DashboardBody =
  /** No body is expected. */
  | { kind: 'ignored' }
  /** `application/json` of at most 64 KiB, checked against `schema`. */
  | { kind: 'json'; schema: z.ZodType };

// biome-ignore lint/suspicious/noExplicitAny: the pipeline holds routes of every body type in one list
type Loose = any;

export interface DashboardInput<Body = Loose, Prepared = Loose> {
  app: App;
  /** The pool in `prepare`, the transaction in the handler. */
  db: Db;
  /** Undefined if the request has none, which only routes with `session: 'none'` allow. */
  session: Session | undefined;
  /** Present on every route below `/sites/:site`. */
  site: Site;
  params: Record<string, string>;
  body: Body;
  prepared: Prepared;
  /** `gone` aborts when the client disconnects. */
  client: { address: string; userAgent: string; gone: AbortSignal };
  /** Sends the cookie of a new session with the reply, after the commit. */
  signIn(session: { token: string; userId: string }): void;
  /** Removes the cookie with the reply. */
  signOut(): void;
  /** Runs after the transaction has committed: only for wakes, since it may never run. */
  afterCommit(work: () => void): void;
}

/**
 * The declaration of one dashboard call. It is like that of a REST route (services/core/http.ts), with a session instead of a key and an
 * operation kind instead of a scope. Only our own browser code of the same version calls it: it is not part of the REST API or its document.
 */
export interface DashboardRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/dashboard/api`, with `:name` parameters. */
  path: string;
  operationId: string;
  summary: string;
  /** The required session: `none`, `awaiting_totp` (between password and second factor) or `signed_in`. */
  session: 'none' | 'awaiting_totp' | 'signed_in';
  /** Those who have the kind for their own records only may call it; the handler checks the records. */
  ownRecords?: true;
  /** The input of the policy. Every route below `/sites/:site` declares it. */
  operationKind?: OperationKind;
  /**
   * Makes the request an attempt, which is throttled by client address and by the returned account, an e-mail address (contract: Rate
   * limits). If it returns undefined, only by client address.
   */
  attempt?: (input: Pick<DashboardInput, 'body' | 'session'>) => string | undefined;
  /** The call is for administrators of the installation only. */
  onlyAdministrators?: true;
  /** What a call outside of sites changes, for the audit log: by default the user; `record`: the record that path or reply names. */
  changes?: 'record';
  /**
   * The record can be followed: a GET with `Accept: text/event-stream` gets it as an event, and again whenever it has changed. The handler
   * then runs twice a second.
   */
  follow?: true;
  body: DashboardBody;
  reply: { status: number; schema: z.ZodType };
  /** Catalogue errors beyond those of the stages. */
  errors?: readonly ErrorCode[];
  /** The handler of every method but GET runs in one retried transaction, unless the route says why not. */
  transaction?: OptOut;
  /** Runs once, before the transaction: hashing and checking passwords. Its result is the handler's `prepared`. */
  prepare?: (input: DashboardInput) => Promise<unknown>;
  handler: (input: DashboardInput) => Promise<Reply>;
}

type BodyOf<B> = B extends { kind: 'json'; schema: infer S extends z.ZodType } ? z.output<S> : undefined;

/** Declares one call; infers the types of the handler's `body` and `prepared`. */
export function dashboardRoute<B extends DashboardBody, P = undefined>(
  declaration: Omit<DashboardRoute, 'body' | 'attempt' | 'prepare' | 'handler'> & {
    body: B;
    attempt?: (input: Pick<DashboardInput<BodyOf<B>>, 'body' | 'session'>) => string | undefined;
    prepare?: (input: DashboardInput<BodyOf<B>, undefined>) => Promise<P>;
    handler: (input: DashboardInput<BodyOf<B>, P>) => Promise<Reply>;
  },
): DashboardRoute {
  return declaration as unknown as DashboardRoute;
}
