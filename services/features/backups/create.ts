import { randomUUID } from 'node:crypto';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { type ReadBytes, withHeldObjects } from '../../engines/objects/held-objects.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { MissingObject, type ObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { withLease } from '../../engines/sql/lease.ts';
import { hashesOfRelease, readRelease } from '../publishing/index.ts';
import {
  BackupDamaged,
  type BlobPlace,
  compress,
  documentKey,
  listKeys,
  listSummaryKeys,
  packPrefix,
  putDocument,
  putSummary,
  readBlobMap,
  readSummaries,
  type Summary,
  toBlobMap,
} from './archive.ts';
import { copyToBucket } from './copy-blobs.ts';
import { createLineWriter } from './lines.ts';
import { pruneBackups } from './prune.ts';
import { hashesOfLine, readRows } from './rows.ts';

export interface BackupDeps {
  db: Database;
  objects: ObjectStore;
  bucket: KeyedStore;
  config: Pick<Config, 'backupKeep'>;
}

/** After a backup was killed, others of the site are blocked for this time. */
const leaseMs = 20_000;

interface LiveRelease {
  manifest_hash: string;
  inputs_hash: string;
  trace_hash: string;
}

interface Dump {
  site: Summary['site'];
  /** Compressed. */
  document: Buffer;
  rows: Record<string, number>;
  hashes: Set<string>;
}

/** Reads a consistent snapshot of the site: every row, and the hash of every object that they need. */
async function dumpSite(tx: Db, objects: ReadBytes, siteId: string): Promise<Dump | null> {
  const [site] = await tx.query<Summary['site']>('SELECT id, slug, name FROM sites WHERE id = $1', [siteId]);
  if (!site) return null;
  const [live] = await tx.query<LiveRelease>(
    'SELECT r.manifest_hash, r.inputs_hash, r.trace_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  const release = live ? await readRelease(objects, live) : null;
  const pins = {
    ids: release?.inputs.items.map(([id]) => id) ?? [],
    revisions: release?.inputs.items.map(([, revision]) => revision) ?? [],
  };
  const writer = createLineWriter();
  const hashes = new Set<string>();
  for await (const line of readRows(tx, siteId, pins)) {
    await writer.add(line);
    for (const hash of hashesOfLine(line)) hashes.add(hash);
  }
  if (release) for (const hash of hashesOfRelease(release)) hashes.add(hash);
  return { site, document: await writer.end(), rows: writer.rows, hashes };
}

/** Returns the blobs of the site's newest backup whose packs still exist: only the others are copied. */
async function readNewest(bucket: KeyedStore, siteId: string): Promise<Map<string, BlobPlace>> {
  const newest = (await readSummaries(bucket, (await listSummaryKeys(bucket, siteId)).slice(-1)))[0];
  if (!newest) return new Map();
  const packs = new Set(await listKeys(bucket, packPrefix(siteId)));
  const places = await readBlobMap(bucket, newest).catch((error: unknown) => {
    if (error instanceof BackupDamaged) return new Map<string, BlobPlace>();
    throw error;
  });
  return new Map([...places].filter(([, place]) => packs.has(place.key)));
}

export interface BackupOptions {
  /** Copies every object again: fixes a damaged backup, which later ones would otherwise build on. */
  full?: boolean;
  /** The backup of the whole installation that this one belongs to. */
  installation?: string;
}

/** Adds a backup, under the lease; deletes none. */
export async function addBackup(
  { db, objects, bucket }: BackupDeps,
  siteId: string,
  signal: AbortSignal,
  { full = false, installation }: BackupOptions = {},
): Promise<Summary> {
  const dump = await withHeldObjects(objects, (held) => db.transaction((tx) => dumpSite(tx, held, siteId)));
  if (!dump) throw problem('not_found', 'There is no such site.');
  const known = full ? new Map<string, BlobPlace>() : await readNewest(bucket, siteId);
  const wanted = [...dump.hashes].filter((hash) => !known.has(hash));
  const stored = await objects.locate(wanted);
  const lost = wanted.find((hash) => !stored.has(hash));
  if (lost) throw new MissingObject(`The site refers to the object ${lost}, which is not in the store.`);
  const added = await copyToBucket(objects, bucket, siteId, [...stored.values()], signal);
  const places = new Map([...dump.hashes].map((hash) => [hash, added.get(hash) ?? known.get(hash)!]));
  const id = randomUUID();
  const sum = (list: Iterable<{ bytes: number }>) => [...list].reduce((total, { bytes }) => total + bytes, 0);
  const summary: Summary = {
    format: 1,
    id,
    site: dump.site,
    ...(installation && { installation }),
    created_at: new Date().toISOString(),
    rows: dump.rows,
    blobs: places.size,
    bytes: sum(places.values()),
    added: { blobs: added.size, bytes: sum(added.values()) },
    contents: await putDocument(bucket, documentKey(id, 'rows.jsonl.gz'), dump.document),
    manifest: await putDocument(
      bucket,
      documentKey(id, 'manifest.json.gz'),
      await compress(JSON.stringify(toBlobMap(places))),
    ),
  };
  signal.throwIfAborted();
  await putSummary(bucket, summary);
  return summary;
}

/**
 * Runs work on the backups of a site (or of the `installation`) under an exclusive lease: what it reads is not deleted,
 * and what it adds is not cleaned up as a leftover. Throws `conflict` when another process holds the lease.
 */
export async function withBackupLease<T>(
  { db, bucket }: Pick<BackupDeps, 'db' | 'bucket'>,
  subject: string,
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await bucket.ensure();
  const result = await withLease(db, `backup:${subject}`, { leaseMs, signal: stop }, async (signal) => ({
    value: await work(signal),
  }));
  if (!result) {
    throw problem('conflict', 'A backup or a restore of it is in progress; try again in half a minute.');
  }
  return result.value;
}

/**
 * Backs up a site: a snapshot of its rows, and the objects that the previous backup lacks. A crash leaves no partial
 * backup. Deletes backups beyond FIELDSTONE_BACKUP_KEEP, oldest first. Throws `not_found`, `conflict`.
 */
export function createBackup(
  deps: BackupDeps,
  siteId: string,
  options: Pick<BackupOptions, 'full'> = {},
  stop?: AbortSignal,
): Promise<Summary> {
  return withBackupLease(deps, siteId, stop, async (signal) => {
    const made = await addBackup(deps, siteId, signal, options);
    await pruneBackups(deps.bucket, siteId, deps.config.backupKeep, signal);
    return made;
  });
}
