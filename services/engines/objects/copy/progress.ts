import type { Db } from '../../../core/db.ts';
import type { HashedPlace } from '../places.ts';

/**
 * Returns the name under which copies to a store are recorded; without the host, since a server may have different
 * hosts in different networks.
 */
export function targetName(store: { engine: 'files' } | { engine: 's3'; bucket: string }): string {
  return store.engine === 's3' ? `s3 ${store.bucket}` : 'files';
}

/** An object of the store, as recorded in SQL. */
export interface KnownObject {
  key: string;
  /** Minimum size: the end of its last blob. */
  bytes: number;
  /** Whether an earlier run found it undamaged in the target. */
  recorded: boolean;
}

const pageObjects = 200;

/** Returns a page of the objects that SQL knows, ordered by key: those after `after`. */
export async function selectObjects(db: Db, target: string, after: string): Promise<KnownObject[]> {
  return db.query<KnownObject>(
    `SELECT page.object_key AS key, page.bytes, c.object_key IS NOT NULL AS recorded
     FROM (
       SELECT object_key, max(object_offset + bytes) AS bytes FROM objects
       WHERE object_key > $2 GROUP BY object_key ORDER BY object_key LIMIT ${pageObjects}
     ) AS page
     LEFT JOIN object_copies AS c ON c.target = $1 AND c.object_key = page.object_key
     ORDER BY page.object_key`,
    [target, after],
  );
}

/** Returns the blobs in an object, ordered by offset; none if it has been collected. */
export async function selectBlobs(db: Db, key: string): Promise<HashedPlace[]> {
  return db.query<HashedPlace>(
    `SELECT hash, object_key AS key, object_offset AS "offset", bytes FROM objects WHERE object_key = $1 ORDER BY object_offset`,
    [key],
  );
}

/** Counts the objects that are not known to be undamaged in the target. */
export async function countUncopied(db: Db, target: string): Promise<number> {
  const [row] = await db.query<{ total: number }>(
    `SELECT count(DISTINCT o.object_key) AS total FROM objects AS o
     WHERE NOT EXISTS (SELECT 1 FROM object_copies AS c WHERE c.target = $1 AND c.object_key = o.object_key)`,
    [target],
  );
  return row!.total;
}

/** Returns some of the objects that are known to be undamaged in the target. */
export async function sampleCopied(db: Db, target: string, count: number): Promise<string[]> {
  const rows = await db.query<{ object_key: string }>(
    `SELECT DISTINCT c.object_key FROM object_copies AS c JOIN objects AS o ON o.object_key = c.object_key
     WHERE c.target = $1 LIMIT $2`,
    [target, count],
  );
  return rows.map((row) => row.object_key);
}

export async function recordCopy(db: Db, target: string, key: string): Promise<void> {
  await db.query('INSERT INTO object_copies (target, object_key) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    target,
    key,
  ]);
}

/** Deletes the records of copies to a store, because the move has ended or the target is another store now. */
export async function forgetCopies(db: Db, target: string): Promise<void> {
  const batch = `DELETE FROM object_copies WHERE target = $1 AND object_key IN (
      SELECT object_key FROM object_copies WHERE target = $1 LIMIT 1000) RETURNING object_key`;
  while ((await db.query(batch, [target])).length > 0);
}
