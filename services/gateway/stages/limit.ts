import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { createBatches } from '../../core/batches.ts';
import type { Db, SqlValue } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { Stage } from '../context.ts';
import { countLimited, type LimitName } from '../metrics.ts';

const minuteSeconds = 60;

export interface LimiterOptions {
  db: Db;
  /** The policy's name in `RateLimit-Policy`, and the prefix of its rows in the store. */
  name: LimitName;
  /** Requests in one window; 0 = off. */
  points: number;
  /** A minute, unless given. */
  windowSeconds?: number;
}

/** Adapts `db`, which adds isolation and retries, to the `pg` pool that the library expects. */
function asPool(db: Db) {
  return {
    async query(statement: { text: string; values?: SqlValue[] }) {
      const rows = await db.query(statement.text, statement.values);
      return { rows, rowCount: rows.length };
    },
  };
}

/** The outcome for one request. */
export interface Verdict {
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
  /** The source of the decision; `memory` needs no database. */
  by: 'memory' | 'store';
}

/**
 * Counts one fixed window in the shared SQL store (spec: Limits). Once a key exceeds its limit, this
 * process remembers that until the window ends, so that a flood costs no database work. While the store is unavailable,
 * each process counts separately, so that limits still apply and the API still responds.
 */
function createLimiter({ db, name, points, windowSeconds = minuteSeconds }: LimiterOptions) {
  const shared = { points, duration: windowSeconds, keyPrefix: name };
  const limiter = new RateLimiterPostgres({
    ...shared,
    storeClient: asPool(db),
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    inMemoryBlockOnConsumed: points,
    insuranceLimiter: new RateLimiterMemory(shared),
  });

  async function count(key: string, requests: number): Promise<RateLimiterRes> {
    try {
      return await limiter.consume(key, requests);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  }

  /**
   * Returns a verdict for each of the requests that were counted together: the first may pass and the last exceed the
   * limit.
   */
  function judge({ consumedPoints, msBeforeNext }: RateLimiterRes, requests: number): Verdict[] {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    // the library reports a count of 0 for keys that are blocked in memory
    const by = consumedPoints === 0 ? 'memory' : 'store';
    return Array.from({ length: requests }, (_, index) => {
      const place = consumedPoints - requests + 1 + index;
      const allowed = by === 'store' && place <= points;
      return { allowed, remaining: allowed ? points - place : 0, resetSeconds, by };
    });
  }

  // one statement per client at a time, so that this process does not contend with itself for the row
  const countTogether = createBatches<null, Verdict>(async (key, { length }) =>
    judge(await count(key, length), length),
  );
  return (key: string) => countTogether(key, null);
}

const counted: Record<LimitName, string> = {
  ip: 'requests a minute from this address',
  key: 'requests a minute from this key',
  'sign-in-ip': 'attempts a minute from this address',
  dashboard: 'requests a minute for this user',
  'sign-in-account': 'attempts a minute for this account',
  'token-ip': 'token requests a minute from this address',
  'token-account': 'token requests a minute for this account',
  'agent-registration': 'registrations of agents an hour from this address',
  mcp: 'requests a minute with this token',
};

function appendHeader(headers: Record<string, string>, name: string, value: string): void {
  headers[name] = headers[name] ? `${headers[name]}, ${value}` : value;
}

/**
 * Creates a stage that counts the request against `keyOf(ctx)` and replies 429 with `Retry-After` above the limit; 0 =
 * off.
 */
export function createLimitStage(options: LimiterOptions, keyOf: (ctx: Parameters<Stage>[0]) => string): Stage {
  if (options.points === 0) return () => undefined;
  const consume = createLimiter(options);
  const { name, points, windowSeconds = minuteSeconds } = options;
  return async (ctx) => {
    const { allowed, remaining, resetSeconds, by } = await consume(keyOf(ctx));
    appendHeader(ctx.replyHeaders, 'RateLimit-Policy', `"${name}";q=${points};w=${windowSeconds}`);
    appendHeader(ctx.replyHeaders, 'RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return undefined;
    countLimited(name, by);
    throw problem('rate_limited', `More than ${points} ${counted[name]}; try again in ${resetSeconds} seconds.`, {
      retryAfterSeconds: resetSeconds,
    });
  };
}
