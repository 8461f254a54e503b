import type { Db } from '../../core/db.ts';
import type { Reply } from '../../core/http.ts';
import type { Input } from '../../features/route.ts';
import type { Stage } from '../context.ts';

/**
 * Runs the handler. With an idempotency key, or where the route asks for it, in one transaction, in which the reply is
 * stored as well, so that "done" and "answered so" cannot come apart. What the handler wants to set off elsewhere runs
 * after the commit.
 */
export const handle: Stage = async (ctx) => {
  const { app, claim } = ctx;
  const route = ctx.route!;
  let wakeUps: (() => void)[] = [];
  const input: Input = {
    app,
    db: app.db,
    key: ctx.key!,
    writer: ctx.writer!,
    site: ctx.site!,
    params: ctx.params,
    query: ctx.query,
    body: ctx.body,
    prepared: undefined,
    headers: ctx.req.headers as Record<string, string | undefined>,
    fields: ctx.fields,
    requestId: ctx.requestId,
    afterCommit: (work) => wakeUps.push(work),
  };
  if (route.prepare) input.prepared = await route.prepare(input);
  const run = async (db: Db): Promise<Reply> => {
    wakeUps = [];
    const reply = await route.handler({ ...input, db });
    await claim?.complete(db, reply);
    return reply;
  };
  const atomic = typeof route.atomic === 'function' ? route.atomic(ctx.body) : route.atomic;
  const reply = claim || atomic ? await app.db.transaction(run) : await app.db.attempt(run);
  for (const wake of wakeUps) wake();
  return reply;
};
