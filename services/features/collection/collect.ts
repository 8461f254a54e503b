import type { Db } from '../../core/db.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import type { HashFilter } from './hash-filter.ts';
import { markReferences } from './mark.ts';
import { deleteOldReleases, deleteRetiredAssets, type ReleaseRetention } from './retention.ts';

interface CollectDeps {
  db: Database;
  objects: Pick<ObjectStore, 'getBytes' | 'removeObjects'>;
}

export interface CollectOptions {
  /** Longer than any build, upload or request: the time between pinning a hash and referring to it. */
  graceMs: number;
  retention: ReleaseRetention;
  /** For tests; otherwise the database's clock. */
  now?: Date;
  signal?: AbortSignal;
}

export interface Collected {
  releases: number;
  condemned: number;
  pardoned: number;
  deleted: number;
  bytes: number;
  /** Number of deleted objects, which no longer contained any blob. */
  packs: number;
}

const pageRows = 1000;

async function databaseTime(db: Db): Promise<Date> {
  const [row] = await db.query<{ time: Date }>('SELECT now() AS time');
  return row!.time;
}

/** Yields pages of hashes; `next` returns those after a hash. */
async function* pages(next: (after: string) => Promise<string[]>, signal?: AbortSignal): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const hashes = await next(after);
    if (hashes.length > 0) yield hashes;
    if (hashes.length < pageRows) return;
    after = hashes.at(-1)!;
  }
}

async function selectHashes(db: Db, where: string, after: string, before: Date): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    `SELECT hash FROM objects WHERE ${where} AND hash > $1 ORDER BY hash LIMIT ${pageRows}`,
    [after, before],
  );
  return rows.map((row) => row.hash);
}

/** Deletes hashes that are still condemned; returns their number and the objects that contained them. */
async function deleteCondemned(db: Db, hashes: string[], before: Date) {
  const rows = await db.query<{ object_key: string; bytes: number }>(
    `DELETE FROM objects WHERE hash = ANY($1::TEXT[]) AND condemned_at < $2 AND pinned_at < $2 RETURNING object_key, bytes`,
    [hashes, before],
  );
  return { rows, keys: new Set(rows.map((row) => row.object_key)) };
}

/** Returns those of the objects that no row refers to any more. An object gets all its rows at once, when it is new. */
async function selectEmptyPacks(db: Db, keys: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.query<{ object_key: string }>(
    'SELECT DISTINCT object_key FROM objects WHERE object_key = ANY($1::TEXT[])',
    [[...keys]],
  );
  const used = new Set(rows.map((row) => row.object_key));
  return [...keys].filter((key) => !used.has(key));
}

async function sweepCondemned(
  deps: CollectDeps,
  marked: HashFilter,
  before: Date,
  result: Collected,
  signal?: AbortSignal,
) {
  const { db, objects } = deps;
  for await (const hashes of pages((after) => selectHashes(db, 'condemned_at < $2', after, before), signal)) {
    const garbage = hashes.filter((hash) => !marked.has(hash));
    const { rows, keys } = await deleteCondemned(db, garbage, before);
    result.deleted += rows.length;
    result.bytes += rows.reduce((sum, row) => sum + row.bytes, 0);
    const empty = await selectEmptyPacks(db, keys);
    await objects.removeObjects(empty);
    result.packs += empty.length;
  }
}

async function pardonMarked(db: Db, marked: HashFilter, now: Date, result: Collected, signal?: AbortSignal) {
  const next = (after: string) =>
    selectHashes(db, '(condemned_at IS NOT NULL AND $2::TIMESTAMPTZ IS NOT NULL)', after, now);
  for await (const hashes of pages(next, signal)) {
    const pardoned = hashes.filter((hash) => marked.has(hash));
    if (pardoned.length > 0)
      await db.query('UPDATE objects SET condemned_at = NULL WHERE hash = ANY($1::TEXT[])', [pardoned]);
    result.pardoned += pardoned.length;
  }
}

async function condemn(db: Db, marked: HashFilter, now: Date, before: Date, result: Collected, signal?: AbortSignal) {
  const next = (after: string) => selectHashes(db, 'condemned_at IS NULL AND pinned_at < $2', after, before);
  for await (const hashes of pages(next, signal)) {
    const garbage = hashes.filter((hash) => !marked.has(hash));
    if (garbage.length === 0) continue;
    const rows = await db.query(
      `UPDATE objects SET condemned_at = $3 WHERE hash = ANY($1::TEXT[]) AND condemned_at IS NULL AND pinned_at < $2
       RETURNING hash`,
      [garbage, before, now],
    );
    result.condemned += rows.length;
  }
}

/**
 * Collects garbage (design: idea 3). Hashes that nothing refers to and that were not pinned during the grace period are
 * condemned; if that is still true after another grace period, they are deleted. Nothing in use is deleted, because:
 *
 * - A reference that exists when the marks are read is marked, wherever it is copied to afterwards.
 * - Any later reference comes from a writer that pinned the hash first. A pin lifts the condemnation and restarts the
 *   grace period, and the deletion compares both in its own statement: either it sees the pin, or the writer sees that
 *   the bytes are gone.
 */
export async function collectGarbage(deps: CollectDeps, options: CollectOptions): Promise<Collected> {
  const { db } = deps;
  const { graceMs, retention, signal } = options;
  const now = options.now ?? (await databaseTime(db));
  const before = new Date(now.getTime() - graceMs);
  const result: Collected = { releases: 0, condemned: 0, pardoned: 0, deleted: 0, bytes: 0, packs: 0 };
  result.releases = await deleteOldReleases(db, retention, now);
  await deleteRetiredAssets(db, now);
  const marked = await markReferences(deps, signal);
  await pardonMarked(db, marked, now, result, signal);
  await sweepCondemned(deps, marked, before, result, signal);
  await condemn(db, marked, now, before, result, signal);
  return result;
}
