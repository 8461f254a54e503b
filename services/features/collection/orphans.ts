import type { Db } from '../../core/db.ts';
import type { ObjectStore, StoredObject } from '../../engines/objects/store.ts';

const batchSize = 500;

async function findOrphans(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db.query<{ object_key: string }>(
    'SELECT DISTINCT object_key FROM objects WHERE object_key = ANY($1::TEXT[])',
    [keys],
  );
  const named = new Set(rows.map((row) => row.object_key));
  return keys.filter((key) => !named.has(key));
}

/**
 * Removes objects of this installation that no row refers to: a process died between the upload and the insertion of
 * the row, or between the deletion of the row and that of the object. Keeps objects younger than the grace period,
 * whose rows may not be committed yet. Never touches objects of another installation or program in the same bucket, nor
 * unknown objects from before keys contained the installation's id.
 */
export async function removeOrphans(
  { db, objects }: { db: Db; objects: Pick<ObjectStore, 'listOwnObjects' | 'removeObjects'> },
  { graceMs, now = new Date(), signal }: { graceMs: number; now?: Date; signal?: AbortSignal },
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  async function settle() {
    const orphans = await findOrphans(db, batch);
    await objects.removeObjects(orphans);
    removed += orphans.length;
    batch = [];
  }
  const isOld = ({ modifiedAt }: StoredObject) => now.getTime() - modifiedAt.getTime() > graceMs;
  for await (const object of objects.listOwnObjects()) {
    signal?.throwIfAborted();
    if (!isOld(object)) continue;
    batch.push(object.key);
    if (batch.length === batchSize) await settle();
  }
  if (batch.length > 0) await settle();
  return removed;
}
