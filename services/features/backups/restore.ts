import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { siteUrl } from '../../core/public-paths.ts';
import type { Cipher } from '../../core/secrets.ts';
import { deriveSlug } from '../../core/slug.ts';
import type { EdgeNotifier } from '../../engines/edges/notifier.ts';
import { forgetLost } from '../../engines/objects/forget-lost.ts';
import { type ReadBytes, withHeldObjects } from '../../engines/objects/held-objects.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import { recordChange } from '../audit/index.ts';
import { announceRelease, insertRestoredRelease, readItemsToDelete, requestRebuild } from '../publishing/index.ts';
import { selectSiteById } from '../sites/index.ts';
import { BackupDamaged, type BlobPlace, readBlobMap, type Summary } from './archive.ts';
import { copyFromBucket } from './copy-blobs.ts';
import { addBackup, type BackupDeps, withBackupLease } from './create.ts';
import { type Line, rowsOf } from './lines.ts';
import { withMediaUses } from './media-uses.ts';
import { type Plan, planCopy, planSame } from './plan-restore.ts';
import { hashesOfLine } from './rows.ts';
import { requireSecrets } from './sealed-secrets.ts';
import { readLines } from './verify.ts';
import { clearSite, insertSiteContents, insertSiteRow, pointSite, resetSiteRow } from './write-site.ts';

export interface RestoreDeps extends BackupDeps {
  config: Pick<Config, 'backupKeep' | 'edgeUrl'>;
  cipher: Cipher;
  edges: EdgeNotifier;
}

export interface Restored {
  site: { id: string; slug: string };
  live_release: string | null;
  /** The backup made of the previous state, so that a restore can be undone; null if there was none. */
  before: string | null;
}

const maxAttempts = 3;

/** Copies the objects that the store lacks. */
async function copyMissingObjects(
  { db, objects, bucket }: RestoreDeps,
  places: ReadonlyMap<string, BlobPlace>,
): Promise<void> {
  await forgetLost(db, objects, [...places.keys()]);
  const present = await objects.locate([...places.keys()]);
  await copyFromBucket(
    bucket,
    objects,
    [...places].filter(([hash]) => !present.has(hash)),
  );
}

/**
 * Writes everything in one transaction, so that visitors and editors see the site either before or after the restore.
 */
async function writeSite(
  { db, objects, config }: RestoreDeps,
  { lines, siteId, release, exists }: Plan,
): Promise<void> {
  const [site] = rowsOf(lines, 'sites');
  const hashes = [...new Set(lines.filter(([table]) => table !== 'releases').flatMap(hashesOfLine))];
  const write = async (tx: Db, held: ReadBytes): Promise<void> => {
    const [present] = await tx.query<{ live_release: string | null }>(
      'SELECT live_release FROM sites WHERE id = $1 FOR UPDATE',
      [siteId],
    );
    if (Boolean(present) !== exists) throw problem('conflict', 'The site was just created or deleted; try again.');
    const replaced = present?.live_release ?? null;
    const recordsBefore = await readItemsToDelete(tx, held, siteId, replaced);
    await objects.pin(tx, hashes);
    if (exists) {
      await clearSite(tx, siteId);
      await resetSiteRow(tx, site!);
    } else {
      await insertSiteRow(tx, site!);
    }
    await insertSiteContents(tx, siteId, withMediaUses(lines));
    if (release) await insertRestoredRelease(tx, objects, siteId, release);
    await pointSite(tx, siteId, release?.id ?? null);
    if (release) {
      const url = `${siteUrl((await selectSiteById(tx, siteId))!, config)}/`;
      await announceRelease(tx, held, { siteId, url, release: release.id, replaced, recordsBefore });
    }
    if (exists) await requestRebuild(tx, siteId);
    const slug = String(site!['slug']);
    const target = { kind: 'sites', id: siteId, name: slug };
    await recordChange(tx, { operation: 'backups.restore', site: { id: siteId, slug }, target });
  };
  await withHeldObjects(objects, (held) => db.transaction((tx) => write(tx, held)));
}

/** Whether a site exists. */
export async function siteExists({ db }: Pick<RestoreDeps, 'db'>, siteId: string): Promise<boolean> {
  return (await db.query('SELECT id FROM sites WHERE id = $1', [siteId])).length > 0;
}

export interface RestoreOptions {
  /** The slug of a new site; without it, the site itself is restored. */
  as?: string | null;
  /** Restores even if the present state cannot be backed up first. */
  force?: boolean;
}

/**
 * Backs up the site that a restore in place replaces. Deletes no older backup, because it could be the one to restore.
 */
async function backUpFirst(
  deps: RestoreDeps,
  siteId: string,
  force: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return (await addBackup(deps, siteId, signal)).id;
  } catch (error) {
    if (!(error instanceof MissingObject) && !(error instanceof BackupDamaged)) throw error;
    if (force) return null;
    const message = `The present state cannot be backed up first: ${error.message} Use --force to restore anyway.`;
    throw problem('conflict', message, { cause: error });
  }
}

/**
 * Restores a backup. Without `as`, the site returns to its earlier state, or is created again with its ids if it was
 * deleted, and is live as it was. With `as` it becomes a new site of that slug, not live until it is published. Copies
 * objects first, then writes all rows in one transaction: a crash changes nothing. Resolves when no edge serves the
 * replaced release. Throws BackupDamaged, `slug_taken`, `validation_failed`, `conflict`.
 */
export async function restoreBackup(
  deps: RestoreDeps,
  summary: Summary,
  { as = null, force = false }: RestoreOptions = {},
): Promise<Restored> {
  if (as !== null && deriveSlug(as) !== as) throw problem('validation_failed', `${as} is not a slug.`);
  return withBackupLease(deps, summary.site.id, undefined, async (signal) => {
    const lines = await readLines(deps.bucket, summary);
    const places = await readBlobMap(deps.bucket, summary);
    if (rowsOf(lines, 'sites').length !== 1) throw new BackupDamaged('The backup has no site.');
    await requireSecrets(deps.db, deps.cipher, lines, as !== null);
    const exists = as === null && (await siteExists(deps, summary.site.id));
    const before = exists ? await backUpFirst(deps, summary.site.id, force, signal) : null;
    return { ...(await restoreLines(deps, lines, places, as, exists)), before };
  });
}

async function restoreLines(
  deps: RestoreDeps,
  lines: readonly Line[],
  places: ReadonlyMap<string, BlobPlace>,
  as: string | null,
  exists: boolean,
): Promise<Omit<Restored, 'before'>> {
  for (let attempt = 1; ; attempt++) {
    try {
      await copyMissingObjects(deps, places);
      const plan = as === null ? await planSame(deps, lines, exists) : await planCopy(deps, lines, as);
      await writeSite(deps, plan);
      if (exists) await deps.edges.siteSwapped(plan.siteId);
      const slug = String(rowsOf(plan.lines, 'sites')[0]!['slug']);
      return { site: { id: plan.siteId, slug }, live_release: plan.release?.id ?? null };
    } catch (error) {
      // an object was collected between two steps
      if (!(error instanceof MissingObject) || attempt === maxAttempts) throw error;
    }
  }
}
