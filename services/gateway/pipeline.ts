import { createByteBudget } from '../core/byte-budget.ts';
import { Problem } from '../core/errors.ts';
import type { App } from '../features/app.ts';
import { createKeyVerifier } from '../features/keys/verify.ts';
import type { Context, Stage } from './context.ts';
import { errorToWire, toWire, type WireReply } from './envelope.ts';
import { createAuthenticateStage } from './stages/authenticate.ts';
import { loadSite, requireScope, requireSiteInList } from './stages/authorize.ts';
import { readBody } from './stages/body.ts';
import { handle } from './stages/handle.ts';
import { claimIdempotency } from './stages/idempotency.ts';
import { createLimitStage } from './stages/limit.ts';
import { createMemoryStage, holdListMemory } from './stages/memory.ts';
import { requireSpace } from './stages/space.ts';
import { validate } from './stages/validate.ts';

const mebibyte = 1024 * 1024;
/** What all lists and large replies of a process may hold at once, in bytes of what is read, and those of one user. */
const replyMemory = { totalBytes: 64 * mebibyte, ownerBytes: 32 * mebibyte };

/**
 * The stages that every REST request goes down, in the contract's order of checks. Routing (404, 405) stands between
 * the two lists and is restify's.
 */
export function createStages(app: App): { beforeRouting: Stage[]; afterRouting: Stage[] } {
  const { rateLimitIp, rateLimitKey } = app.config;
  return {
    beforeRouting: [
      createLimitStage({ db: app.db, name: 'ip', pointsPerMinute: rateLimitIp }, (ctx) => ctx.clientIp),
      createAuthenticateStage(createKeyVerifier(app.db)),
      createLimitStage({ db: app.db, name: 'key', pointsPerMinute: rateLimitKey }, (ctx) => ctx.key!.id),
    ],
    afterRouting: [
      requireScope,
      requireSiteInList,
      loadSite,
      requireSpace,
      createMemoryStage(createByteBudget(replyMemory)),
      readBody,
      claimIdempotency,
      validate,
      holdListMemory,
      handle,
    ],
  };
}

/** Runs stages until one replies or throws; undefined when all let the request pass. Never throws. */
export async function runStages(stages: readonly Stage[], ctx: Context): Promise<WireReply | undefined> {
  try {
    for (const stage of stages) {
      const reply = await stage(ctx);
      if (reply) return toWire(reply, ctx.fields);
    }
    return undefined;
  } catch (error) {
    return await settleFailure(ctx, error);
  } finally {
    ctx.claim?.stop();
  }
}

/** A 4xx is final and replayed to a retry; after a 5xx or 429 the key is free again (spec: Idempotency, rule 5). */
async function settleFailure(ctx: Context, error: unknown): Promise<WireReply> {
  const wire = errorToWire(error);
  if (!(error instanceof Problem))
    ctx.app.log.error({ method: ctx.method, path: ctx.path, err: error }, 'request failed');
  if (!ctx.claim) return wire;
  const final =
    wire.status < 500 && wire.status !== 429 && !(error instanceof Problem && error.code === 'idempotency_in_flight');
  try {
    if (final) {
      const { 'Content-Type': contentType = '', ...headers } = wire.headers;
      await ctx.claim.complete(ctx.app.db, {
        kind: 'raw',
        status: wire.status,
        body: Buffer.from(wire.body ?? ''),
        contentType,
        headers,
      });
    } else {
      await ctx.claim.release();
    }
  } catch (failure) {
    // the lock expires by itself; the client gets the answer that it would have had
    ctx.app.log.warn({ err: failure }, 'idempotency key neither completed nor released');
  }
  return wire;
}
