import type { Db } from '../../core/db.ts';

/** Removes idempotency keys that have expired; the gateway ignores them already. */
export async function deleteExpiredKeys(db: Db): Promise<void> {
  await db.query("DELETE FROM idempotency_keys WHERE expires_at < now() - INTERVAL '1 hour'");
}

/** Removes counters of rate limits whose window is over (`expire`: milliseconds since 1970). */
export async function deleteExpiredLimits(db: Db, now = Date.now()): Promise<void> {
  await db.query('DELETE FROM rate_limits WHERE expire < $1::INT8', [now - 60 * 60 * 1000]);
}
