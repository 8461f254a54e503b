import type { Db } from '../../core/db.ts';

const batchSize = 1000;

/** Tables to clean up: name, primary key, and the condition of rows to delete. Requests already ignore such rows. */
const expired = [
  ['sessions', 'id', "expires_at < now() - INTERVAL '1 hour' OR seen_at < now() - INTERVAL '8 days'"],
  ['account_links', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['key_requests', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['mails', 'id', "status <> 'queued' AND created_at < now() - INTERVAL '30 days'"],
] as const;

/** Deletes expired sessions, links and requests for keys, and mails older than 30 days that are no longer queued. `signal` stops it between two batches. */
export async function deleteExpiredAccess(db: Db, signal?: AbortSignal): Promise<void> {
  for (const [table, key, condition] of expired) {
    const removeBatch = () =>
      db.query(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $1) RETURNING ${key}`,
        [batchSize],
      );
    while (!signal?.aborted && (await removeBatch()).length === batchSize);
  }
}
