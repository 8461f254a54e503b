import type { Db } from '../../core/db.ts';

/**
 * Rows deleted per statement: a whole day's rows at once would hold locks for long and exceed the statement timeout.
 */
const batchSize = 1000;

async function inBatches(removeBatch: () => Promise<object[]>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await removeBatch()).length === batchSize);
}

/** Deletes expired idempotency keys, which the gateway ignores already. `signal` stops it between two batches. */
export function deleteExpiredKeys(db: Db, signal?: AbortSignal): Promise<void> {
  const expired = "expires_at < now() - INTERVAL '1 hour'";
  const removeBatch = () =>
    db.query(
      `DELETE FROM idempotency_keys WHERE (api_key_id, method, path, idempotency_key) IN (
         SELECT api_key_id, method, path, idempotency_key FROM idempotency_keys WHERE ${expired} ORDER BY expires_at LIMIT $1)
         AND ${expired}
       RETURNING api_key_id`,
      [batchSize],
    );
  return inBatches(removeBatch, signal);
}

/** Deletes counters of rate limits whose window is over (`expire`: milliseconds since 1970). */
export function deleteExpiredLimits(db: Db, signal?: AbortSignal): Promise<void> {
  const before = Date.now() - 60 * 60 * 1000;
  const removeBatch = () =>
    db.query(
      `DELETE FROM rate_limits WHERE key IN (SELECT key FROM rate_limits WHERE expire < $1::INT8 ORDER BY expire LIMIT $2)
         AND expire < $1::INT8
       RETURNING key`,
      [before, batchSize],
    );
  return inBatches(removeBatch, signal);
}
