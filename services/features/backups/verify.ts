import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Db } from '../../core/db.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { hashesOfRelease, readRelease } from '../publishing/index.ts';
import { BackupDamaged, type BlobPlace, getDocument, openBlob, readBlobMap, type Summary } from './archive.ts';
import { checkBlobs } from './copy-blobs.ts';
import { type Line, parseLines, rowsOf } from './lines.ts';
import { hashesOfLine, insertRows, readRows } from './rows.ts';
import { newIds, renameLines } from './transform.ts';
import { insertSiteContents, insertSiteRow, pointSite } from './write-site.ts';

/** Rolls back the transaction of the scratch site and carries its rows out of it. */
class RolledBack extends Error {
  readonly found: Line[];

  constructor(found: Line[]) {
    super('The scratch site is rolled back.');
    this.found = found;
  }
}

/**
 * Creates a function that serializes lines for comparison, with only the columns of the backup, whose version may have
 * had fewer, in a fixed order.
 */
function createSerializer(backup: readonly Line[]) {
  const columns = new Map(backup.map(([table, row]) => [table, Object.keys(row).sort()]));
  const serialize = ([table, row]: Line) =>
    JSON.stringify([table, columns.get(table)?.map((name) => [name, row[name]])]);
  return (lines: readonly Line[]) => lines.map(serialize).sort();
}

async function writeScratchSite(tx: Db, lines: readonly Line[]): Promise<Line[]> {
  const [site] = rowsOf(lines, 'sites');
  const siteId = String(site!['id']);
  await insertSiteRow(tx, site!);
  await insertSiteContents(tx, siteId, lines);
  const [release] = rowsOf(lines, 'releases');
  if (release) {
    await insertRows(tx, 'releases', [release]);
    await pointSite(tx, siteId, String(release['id']));
  }
  const revisions = [...rowsOf(lines, 'content_revisions'), ...rowsOf(lines, 'purged_revisions')];
  const pins = {
    ids: revisions.map((row) => String(row['content_id'])),
    revisions: revisions.map((row) => Number(row['revision'])),
  };
  const found: Line[] = [];
  for await (const line of readRows(tx, siteId, pins)) found.push(line);
  return found;
}

/**
 * Writes lines to the database with `write`, which returns the lines that it then reads, compares them, and rolls
 * everything back; they are never visible to others. Throws BackupDamaged.
 */
export async function compareScratch(
  db: Database,
  lines: readonly Line[],
  write: (tx: Db) => Promise<Line[]>,
): Promise<void> {
  const serialize = createSerializer(lines);
  const expected = serialize(lines);
  const found = await db
    .transaction(async (tx): Promise<Line[]> => {
      throw new RolledBack(await write(tx));
    })
    .catch((error: unknown) => {
      if (error instanceof RolledBack) return error.found;
      throw error;
    })
    .then(serialize);
  const at = expected.findIndex((text, n) => text !== found[n]);
  if (at >= 0 || found.length !== expected.length) {
    throw new BackupDamaged(
      `A row does not come back as it was: ${(expected[at] ?? found.at(-1) ?? '').slice(0, 200)}`,
    );
  }
}

/** Returns the same rows as a site of another name. */
function asScratch(lines: readonly Line[]): Line[] {
  return renameLines(lines, newIds(lines)).map(([table, row]): Line => {
    const scratch = `scratch-${randomUUID()}`;
    if (table === 'sites') return [table, { ...row, slug: scratch, domain: null, aliases: [] }];
    return table === 'integrations' ? [table, { ...row, slug: scratch }] : [table, row];
  });
}

/** Returns the rows of a backup, checked. Throws BackupDamaged. */
export async function readLines(bucket: KeyedStore, summary: Pick<Summary, 'contents' | 'rows'>): Promise<Line[]> {
  const lines = parseLines(await getDocument(bucket, summary.contents));
  for (const [table, count] of Object.entries(summary.rows)) {
    if (rowsOf(lines, table).length !== count) throw new BackupDamaged(`The backup lacks rows of ${table}.`);
  }
  return lines;
}

/** Checks that the backup has every object that the documents of its release name. Throws BackupDamaged. */
async function checkRelease(
  bucket: KeyedStore,
  places: ReadonlyMap<string, BlobPlace>,
  lines: readonly Line[],
): Promise<void> {
  const requirePlace = (hash: string): BlobPlace => {
    const place = places.get(hash);
    if (!place) throw new BackupDamaged(`The backup lacks the object ${hash}.`);
    return place;
  };
  const objects = { getBytes: async (hash: string) => buffer(await openBlob(bucket, requirePlace(hash))) };
  for (const { manifest_hash, inputs_hash, trace_hash } of rowsOf(lines, 'releases')) {
    const row = {
      manifest_hash: String(manifest_hash),
      inputs_hash: String(inputs_hash),
      trace_hash: String(trace_hash),
    };
    hashesOfRelease(await readRelease(objects, row)).forEach(requirePlace);
  }
}

/**
 * Proves that a backup can be restored: reads every byte and compares its hash, checks that no object is missing, and
 * restores the rows into a scratch site, which it compares and rolls back. Throws BackupDamaged with the reason.
 */
export async function verifyBackup(
  { db, bucket }: { db: Database; bucket: KeyedStore },
  summary: Summary,
): Promise<void> {
  const places = await readBlobMap(bucket, summary);
  const lines = await readLines(bucket, summary);
  const missing = lines.flatMap(hashesOfLine).find((hash) => !places.has(hash));
  if (missing) throw new BackupDamaged(`The backup lacks the object ${missing}.`);
  await checkBlobs(bucket, places);
  await checkRelease(bucket, places, lines);
  const scratch = asScratch(lines);
  await compareScratch(db, scratch, (tx) => writeScratchSite(tx, scratch));
}
