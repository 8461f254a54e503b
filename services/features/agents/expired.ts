import type { Db } from '../../core/db.ts';

const batchSize = 1000;

/** Tables to clean up: name, primary key, and the condition of rows to delete. Requests already ignore such rows. */
const expired = [
  ['agent_tokens', 'token_hash', "expires_at < now() - INTERVAL '1 hour'"],
  ['agent_grants', 'id', "expires_at < now() - INTERVAL '1 hour' OR revoked_at < now() - INTERVAL '30 days'"],
  ['agent_clients', 'id', "expires_at < now() - INTERVAL '1 hour'"],
] as const;

/** Deletes expired tokens, grants and clients of agents. `signal` stops it between two batches. */
export async function deleteExpiredAgents(db: Db, signal?: AbortSignal): Promise<void> {
  for (const [table, key, condition] of expired) {
    const removeBatch = () =>
      db.query(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $1) RETURNING ${key}`,
        [batchSize],
      );
    while (!signal?.aborted && (await removeBatch()).length === batchSize);
  }
}
