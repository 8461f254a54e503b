import type { z } from 'zod';
import type { BodyKind, HandlerInput, Route } from '../core/http.ts';
import type { Reply } from '../core/reply.ts';
import type { OperationKind } from './access/index.ts';
import type { App } from './app.ts';

export interface AppRoute extends Route<App> {
  /** The kind of operation for the policy; required if method and scope do not imply it (`operationKindOf`). */
  operationKind?: OperationKind;
  /**
   * The handler checks `input.writer`, so that a user who may change only their own records changes no other. Without
   * this, such users get 403.
   */
  ownRecords?: true;
  /**
   * Whether concurrent requests for the same path and query share a run of the handler, which starts after all of them
   * have been authorized. For a GET below a site whose reply depends on nothing else of the request.
   */
  sharesReply?: true;
}
export type Input<Body = unknown, Query = unknown, Prepared = unknown> = HandlerInput<App, Body, Query, Prepared>;

type BodyOf<B> = B extends { kind: 'json'; schema: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { kind: 'raw' }
    ? Buffer
    : unknown;
type QueryOf<Q> = Q extends z.ZodType ? z.output<Q> : unknown;

/** Declares one route; the handler's `body`, `query` and `prepared` have the types of the declaration. */
export function route<B extends BodyKind, Q extends z.ZodType | undefined = undefined, P = undefined>(
  declaration: Omit<AppRoute, 'body' | 'query' | 'prepare' | 'etag' | 'handler'> & {
    body: B;
    query?: Q;
    prepare?: (input: Input<BodyOf<B>, QueryOf<Q>, undefined>) => Promise<P>;
    etag?: (input: Input) => Promise<string | undefined>;
    handler: (input: Input<BodyOf<B>, QueryOf<Q>, P>) => Promise<Reply>;
  },
): AppRoute {
  return declaration as unknown as AppRoute;
}
