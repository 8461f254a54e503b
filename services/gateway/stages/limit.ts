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

/** How one request stands with its limit. */
export interface Verdict {
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
  /** Who refused it: the memory of this process asks no database. */
  by: 'memory' | 'store';
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

  async function count(key: string, requests: number): Promise<RateLimiterRes> {
    try {
      return await limiter.consume(key, requests);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    }
  }

  /** Each request's own place in the window: of those counted at once, the first may pass and the last be too many. */
  function judge({ consumedPoints, msBeforeNext }: RateLimiterRes, requests: number): Verdict[] {
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    // what the process remembers as blocked carries no count
    const by = consumedPoints === 0 ? 'memory' : 'store';
    return Array.from({ length: requests }, (_, index) => {
      const place = consumedPoints - requests + 1 + index;
      const allowed = by === 'store' && place <= pointsPerMinute;
      return { allowed, remaining: allowed ? pointsPerMinute - place : 0, resetSeconds, by };
    });
  }

  return countTogether(async (key, requests) => judge(await count(key, requests), requests));
}

/**
 * Requests of one client that come while others of it are being counted wait, and are then counted together: one statement
 * at a time for each client, which no other of this process fights for the row with, however many requests there are.
 */
export function countTogether<T>(count: (key: string, requests: number) => Promise<T[]>): (key: string) => Promise<T> {
  const clients = new Map<string, PromiseWithResolvers<T>[]>();

  async function countWaiting(key: string): Promise<void> {
    for (let batch = clients.get(key)!; batch.length > 0; batch = clients.get(key)!) {
      clients.set(key, []);
      try {
        const verdicts = await count(key, batch.length);
        for (const [index, { resolve }] of batch.entries()) resolve(verdicts[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    clients.delete(key);
  }

  return (key) => {
    const request = Promise.withResolvers<T>();
    const waiting = clients.get(key);
    if (waiting) waiting.push(request);
    else {
      clients.set(key, [request]);
      void countWaiting(key);
    }
    return request.promise;
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
    const { allowed, remaining, resetSeconds, by } = await consume(keyOf(ctx));
    appendHeader(ctx.replyHeaders, 'RateLimit-Policy', `"${name}";q=${pointsPerMinute};w=${windowSeconds}`);
    appendHeader(ctx.replyHeaders, 'RateLimit', `"${name}";r=${remaining};t=${resetSeconds}`);
    if (allowed) return undefined;
    countLimited(name, by);
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
