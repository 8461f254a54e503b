import type { Db } from '../../core/db.ts';

/**
 * The rows of a table that can be deleted: its name, its primary key, and a condition that requests already treat as
 * gone.
 */
export type ExpiredRows = readonly [table: string, key: string, condition: string];

/** Rows deleted per statement: all at once would hold locks for long and exceed the statement timeout. */
const batchSize = 1000;

/** Deletes expired rows in batches. `signal` stops it between two batches. */
export async function deleteExpired(db: Db, expired: readonly ExpiredRows[], signal?: AbortSignal): Promise<void> {
  for (const [table, key, condition] of expired) {
    const removeBatch = () =>
      db.query(
        `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT $1) RETURNING ${key}`,
        [batchSize],
      );
    while (!signal?.aborted && (await removeBatch()).length === batchSize);
  }
}
