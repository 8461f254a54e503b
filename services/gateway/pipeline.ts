import { createByteBudget } from '../core/byte-budget.ts';
import { Problem } from '../core/errors.ts';
import type { Reply } from '../core/reply.ts';
import type { App } from '../features/app.ts';
import { createKeyVerifier } from '../features/keys/index.ts';
import type { Context, Stage } from './context.ts';
import { problemReply } from './envelope.ts';
import { createAuthenticateStage } from './stages/authenticate.ts';
import { loadSite, nameSite, requireRole, requireScope, requireSiteInList } from './stages/authorize.ts';
import { readBody } from './stages/body.ts';
import { handle } from './stages/handle.ts';
import { claimIdempotency } from './stages/idempotency.ts';
import { createLimitStage } from './stages/limit.ts';
import { createMemoryStage, holdListMemory } from './stages/memory.ts';
import { requireSpace } from './stages/space.ts';
import { validate } from './stages/validate.ts';

const mebibyte = 1024 * 1024;
/** Bytes that all lists and large replies of a process may hold at once, and those of one user. */
const replyMemory = { totalBytes: 64 * mebibyte, ownerBytes: 32 * mebibyte };

/** The stages of the gateway, each list in the contract's order of checks. */
export interface Stages {
  /** Stages of every request below the base before routing; a path that matches no route counts too. */
  beforeRouting: Stage[];
  /** Stages after routing (404, 405), which restify does between the two lists. */
  afterRouting: Stage[];
  /**
   * Stages of an operation that a tool of an agent calls, which has a body already: `takeBody` replaces its reading.
   */
  ofTool(takeBody: Stage): Stage[];
  /** All stages, for routes outside the base, which pass none before routing. */
  all: Stage[];
}

/** The stages that decide whether the caller may call an operation. */
export const authorizeStages: readonly Stage[] = [requireScope, nameSite, requireSiteInList, requireRole, loadSite];

export function createStages(app: App): Stages {
  const { rateLimitIp, rateLimitKey } = app.config;
  const beforeRouting = [
    createLimitStage({ db: app.db, name: 'ip', points: rateLimitIp }, (ctx) => ctx.clientIp),
    createAuthenticateStage(createKeyVerifier(app.db, app.log)),
    createLimitStage({ db: app.db, name: 'key', points: rateLimitKey }, (ctx) => ctx.caller!.id),
  ];
  const beforeBody = [...authorizeStages, requireSpace, createMemoryStage(createByteBudget(replyMemory))];
  const afterBody = [validate, holdListMemory, handle];
  const afterRouting = [...beforeBody, readBody, claimIdempotency, ...afterBody];
  return {
    beforeRouting,
    afterRouting,
    ofTool: (takeBody) => [...beforeBody, takeBody, ...afterBody],
    all: [...beforeRouting, ...afterRouting],
  };
}

/** Runs stages until one returns a reply or throws; returns undefined when all let the request pass. Never throws. */
export async function runStages(stages: readonly Stage[], ctx: Context): Promise<Reply | undefined> {
  try {
    for (const stage of stages) {
      const reply = await stage(ctx);
      if (reply) return reply;
    }
    return undefined;
  } catch (error) {
    return await settleFailure(ctx, error);
  } finally {
    ctx.claim?.stop();
  }
}

/**
 * Completes or releases the idempotency key after a failure: a 4xx is final and replayed to a retry; a 5xx or 429 frees
 * the key (spec: Idempotency, rule 5).
 */
async function settleFailure(ctx: Context, error: unknown): Promise<Reply> {
  const reply = problemReply(error);
  if (!(error instanceof Problem))
    ctx.app.log.error({ method: ctx.method, path: ctx.path, err: error }, 'request failed');
  if (!ctx.claim) return reply;
  const { status } = reply;
  const final = status < 500 && status !== 429 && !(error instanceof Problem && error.code === 'idempotency_in_flight');
  try {
    if (final) await ctx.claim.complete(ctx.app.db, reply);
    else await ctx.claim.release();
  } catch (failure) {
    // the lock expires after its time; the client gets the reply that it would get otherwise
    ctx.app.log.warn({ err: failure }, 'idempotency key neither completed nor released');
  }
  return reply;
}
