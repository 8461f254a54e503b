import { createBatches, perDatabase } from '../../core/batches.ts';
import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import type { ContentRow } from './row.ts';
import { selectContent, selectContents } from './sql.ts';

/** Bounds the rows of one statement, whose bodies are up to 256 KiB each. */
const maxItems = 32;

type ReadItem = (siteId: string, id: string) => Promise<ContentRow | undefined>;

const readerOf = perDatabase<ReadItem>((db) =>
  createBatches(
    async (siteId, ids) => {
      // PostgreSQL plans a statement with a list of ids each time
      if (ids.length === 1) return [await selectContent(db, siteId, ids[0]!)];
      const rows = await selectContents(db, siteId, ids);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id));
    },
    ({ length }) => Math.min(length, maxItems),
  ),
);

/**
 * Reads an item outside the trash for a request that changes nothing. Concurrent requests for items of one site share a
 * statement, which is sent after all of them have arrived. `db` is the pool. Throws `not_found`.
 */
export async function readItem(db: Db, siteId: string, id: string): Promise<ContentRow> {
  const row = await readerOf(db)(siteId, id);
  if (!row || row.trashed_at) throw notFound('content item');
  return row;
}
