import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Db, SqlValue } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { Stage } from '../context.ts';
import { countLimited } from '../metrics.ts';

const windowSeconds = 60;

interface LimiterOptions {
  db: Db;
  /** Names the policy in `RateLimit-Policy` and the rows in the store. */
  name: 'ip' | 'key';
  pointsPerMinute: number;
}

/** The library speaks to a pool of `pg`; ours adds isolation and retries. */
function asPool(db: Db) {
  return {
    async query(statement: { text: string; values?: SqlValue[] }) {
      const rows = await db.query(statement.text, statement.values);
      return { rows, rowCount: rows.length };
    },
  };
}

/**
 * One fixed window of a minute on the shared SQL store (spec: Limits). Once a key is over its limit, this process
 * remembers that until the window ends, so a flood costs no database work. While the store is down, each process counts
 * for itself: never an open door, never a dead API.
 */
function createLimiter({ db, name, pointsPerMinute }: LimiterOptions) {
  const shared = { points: pointsPerMinute, duration: windowSeconds, keyPrefix: name };
  const limiter = new RateLimiterPostgres({
    ...shared,
    storeClient: asPool(db),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    inMemoryBlockOnConsumed: pointsPerMinute,
    insuranceLimiter: new RateLimiterMemory(shared),
  });
  const queues = new Map<string, Promise<unknown>>();

  /** Requests of one client count one after the other here, so that they do not fight over one row. */
  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (queues.get(key) ?? Promise.resolve()).then(work, work);
    queues.set(key, turn);
    const forget = () => {
      if (queues.get(key) === turn) queues.delete(key);
    };
    turn.then(forget, forget);
    return turn;
  }

  return async function consume(key: string): Promise<{ allowed: boolean; state: RateLimiterRes }> {
    try {
      return { allowed: true, state: await inTurn(key, () => limiter.consume(key)) };
    } catch (refused) {
      // what the process remembers as blocked carries no count, so the refusal itself decides
      if (refused instanceof RateLimiterRes) return { allowed: false, state: refused };
      throw refused;
    }
  };
}

function appendHeader(headers: Record<string, string>, name: string, value: string): void {
  headers[name] = headers[name] ? `${headers[name]}, ${value}` : value;
}

/** A stage that counts the request against `keyOf(ctx)` and answers 429 with `Retry-After` past the limit; 0 = off. */
export function createLimitStage(options: LimiterOptions, keyOf: (ctx: Parameters<Stage>[0]) => string): Stage {
  if (options.pointsPerMinute === 0) return () => undefined;
  const consume = createLimiter(options);
  const { name, pointsPerMinute } = options;
  return async (ctx) => {
    const { allowed, state } = await consume(keyOf(ctx));
    const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    appendHeader(ctx.replyHeaders, 'RateLimit-Policy', `"${name}";q=${pointsPerMinute};w=${windowSeconds}`);
    appendHeader(ctx.replyHeaders, 'RateLimit', `"${name}";r=${state.remainingPoints};t=${resetSeconds}`);
    if (allowed) return;
    countLimited(name, state.consumedPoints === 0 ? 'memory' : 'store');
    const who = name === 'ip' ? 'this address' : 'this key';
    throw problem(
      'rate_limited',
      `More than ${pointsPerMinute} requests a minute from ${who}; try again in ${resetSeconds} seconds.`,
      {
        retryAfterSeconds: resetSeconds,
      },
    );
  };
}
