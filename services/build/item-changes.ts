import type { Db } from '../core/db.ts';

/** The writes of a site's items that SQL has recorded since rows of its record were last deleted. */
export interface ItemChanges {
  /** Another one means that rows were deleted, or items were written without a record. */
  epoch: string;
  /** Item ids, by the ids of the rows that record their writes. */
  items: ReadonlyMap<string, string>;
}

/** A record with more rows is deleted by the next build, and read no further. */
const maxItemChanges = 1_000;

/** Whether there are more writes than are read. */
export const isCut = ({ items }: ItemChanges): boolean => items.size > maxItemChanges;

interface ChangesRow {
  epoch: string;
  is_complete: boolean;
  changes: string | null;
}

/**
 * Reads what has been written. Returns null if that is not known, because processes of an earlier version, which do not
 * record their writes, may still run (`installation.changes_from`).
 */
export async function readItemChanges(tx: Db, siteId: string): Promise<ItemChanges | null> {
  const [row] = await tx.query<ChangesRow>(
    `SELECT s.content_epoch AS epoch,
       NOT EXISTS (SELECT 1 FROM installation i WHERE i.changes_from > now()) AS is_complete,
       (SELECT string_agg(c.id::TEXT || ':' || c.content_id::TEXT, ',')
        FROM (SELECT id, content_id FROM content_changes WHERE site_id = $1 LIMIT $2) c) AS changes
     FROM sites s WHERE s.id = $1`,
    [siteId, maxItemChanges + 1],
  );
  if (!row?.is_complete) return null;
  const items = new Map(
    (row.changes?.split(',') ?? []).map((change) => change.split(':') as [id: string, contentId: string]),
  );
  return { epoch: row.epoch, items };
}

/** Deletes the record, in a transaction that has read all items. Returns the new, empty one. */
export async function restartItemChanges(tx: Db, siteId: string): Promise<ItemChanges | null> {
  await tx.query('DELETE FROM content_changes WHERE site_id = $1', [siteId]);
  const rows = await tx.query<{ epoch: string }>(
    'UPDATE sites SET content_epoch = gen_random_uuid() WHERE id = $1 RETURNING content_epoch AS epoch',
    [siteId],
  );
  return rows.map(({ epoch }) => ({ epoch, items: new Map() }))[0] ?? null;
}
