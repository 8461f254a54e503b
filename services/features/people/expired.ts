import type { Db } from '../../core/db.ts';

const batchSize = 1000;

/** What is kept and may go: the table, its key, and when a row is of no more use. Requests ignore such rows already. */
const expired = [
  ['sessions', 'id', "expires_at < now() - INTERVAL '1 hour' OR seen_at < now() - INTERVAL '8 days'"],
  ['account_links', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['mails', 'id', "status <> 'queued' AND created_at < now() - INTERVAL '30 days'"],
] as const;

/** Removes expired sessions and links, and mails that were done with 30 days ago. `signal` ends it between two batches. */
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
