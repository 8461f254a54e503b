import { createBatches } from '../../core/batches.ts';
import type { Db, Transaction } from '../../core/db.ts';
import { withPrincipal } from '../../core/principal.ts';
import type { Reply } from '../../core/reply.ts';
import { type ReadBytes, withHeldObjects } from '../../engines/objects/held-objects.ts';
import type { AppRoute, Input } from '../../features/route.ts';
import { auditRequest, principalOf } from '../audit.ts';
import type { Context, Stage } from '../context.ts';
import { requireMatch } from './precondition.ts';

/**
 * Returns whether all statements of the handler are one transaction: true for methods that write, unless the route
 * declares otherwise.
 */
export function isTransactional({ method, transaction }: Pick<AppRoute, 'method' | 'transaction'>): boolean {
  return method !== 'GET' && method !== 'HEAD' && !transaction;
}

function inputOf(ctx: Context): Input {
  const { app, req, res } = ctx;
  return {
    app,
    db: app.db,
    objects: app.objects,
    caller: ctx.caller!,
    writer: ctx.writer!,
    site: ctx.site!,
    params: ctx.params,
    query: ctx.query,
    body: ctx.body,
    prepared: undefined,
    headers: req.headers as Record<string, string | undefined>,
    fields: ctx.fields,
    requestId: ctx.requestId,
    exchange: { req, res },
    afterCommit: () => undefined,
  };
}

type Run = () => Promise<Reply>;

/**
 * Runs the handler once for all requests of a batch, with the site as the last of them read it. A reply that is read
 * while it is sent serves only one request.
 */
const runShared = createBatches<Run, Reply>(async (_key, runs) => {
  const reply = await runs.at(-1)!();
  return Promise.all(runs.map((run, index) => (reply.large && index < runs.length - 1 ? run() : reply)));
});

/**
 * Runs `prepare`, then compares `If-Match` and runs the handler, in one transaction if the route writes. The change is
 * recorded in the audit log in the same transaction. With an idempotency key the reply is stored there too, so that the
 * write and its stored reply cannot diverge. Effects outside the database run after the commit.
 */
export const handle: Stage = async (ctx) => {
  const { app, claim } = ctx;
  const route = ctx.route!;
  let wakeUps: (() => void)[] = [];
  const input = inputOf(ctx);
  if (route.prepare) input.prepared = await route.prepare(input);
  if (route.body.kind === 'protocol')
    for (const [name, value] of Object.entries(ctx.replyHeaders)) ctx.res.setHeader(name, value);
  const run = async (db: Db, objects: ReadBytes, tx?: Transaction): Promise<Reply> => {
    wakeUps = [];
    const within: Input = { ...input, db, objects, afterCommit: (work) => wakeUps.push(work) };
    await requireMatch(route, within);
    const reply = await withPrincipal(principalOf(ctx), () => route.handler(within));
    if (tx && isTransactional(route)) auditRequest(tx, ctx, reply);
    reply.keepFields(ctx.fields);
    await claim?.complete(db, reply);
    return reply;
  };
  const read = () => app.db.attempt((db) => run(db, app.objects));
  const reply =
    claim || isTransactional(route)
      ? await withHeldObjects(app.objects, (held) => app.db.transaction((tx) => run(tx, held, tx)))
      : await (route.sharesReply ? runShared(`${ctx.site!.id} ${ctx.path}${ctx.search}`, read) : read());
  for (const wake of wakeUps) wake();
  return reply;
};
