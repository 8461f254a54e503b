import { dropPurgedRevisions, type NewRelease } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import type { EdgeNotifier } from '../../engines/edges/notifier.ts';
import { type ReadBytes, withHeldObjects } from '../../engines/objects/held-objects.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedJobs, announceRelease } from './announce.ts';
import { forgetAttempt, forgetAttempts } from './attempts.ts';
import { type Claim, replacedRelease, servingBuild } from './claim.ts';
import { failJobs, markVisible, returnJobs, succeedJobs } from './jobs/job-state.ts';
import { keepAssets } from './kept-assets.ts';

/** Swaps the site's release if this build still may; returns whether the row changed. */
async function swapPointer(tx: Db, { site, token, target }: Claim, releaseId: string): Promise<boolean> {
  const column = target === 'live' ? 'live_release' : 'preview_release';
  const rows = await tx.query(
    `UPDATE sites SET ${column} = $4, version = version + 1, build_token = NULL
     WHERE id = $1 AND version = $2 AND build_token = $3 RETURNING id`,
    [site.id, site.version, token, releaseId],
  );
  return rows.length > 0;
}

/** Stores a release that nothing points to yet, and pins what it refers to. */
export async function insertRelease(
  tx: Db,
  objects: Pick<ObjectStore, 'pin'>,
  { siteId, preview }: { siteId: string; preview: boolean },
  release: NewRelease,
): Promise<void> {
  await tx.query(
    `INSERT INTO releases (id, site_id, preview, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes, awaited_media)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::UUID[])`,
    [
      release.id,
      siteId,
      preview,
      release.manifestHash,
      release.inputsHash,
      release.traceHash,
      release.pages,
      release.changed,
      release.bytes,
      release.awaitedMedia.length > 0 ? release.awaitedMedia : null,
    ],
  );
  await objects.pin(tx, release.hashes);
}

async function markReplaced(tx: Db, claim: Claim): Promise<void> {
  const replaced = replacedRelease(claim);
  if (replaced) await tx.query('UPDATE releases SET replaced_at = now() WHERE id = $1', [replaced]);
}

/**
 * Makes a finished build live (or the preview) in one transaction. Returns false when another swap or build came first:
 * then nothing has changed, and the jobs still wait.
 */
async function swapRelease(db: Database, objects: ObjectStore, claim: Claim, release: NewRelease): Promise<boolean> {
  const swap = async (tx: Db, held: ReadBytes): Promise<boolean> => {
    if (!(await swapPointer(tx, claim, release.id))) return false;
    await insertRelease(tx, objects, { siteId: claim.site.id, preview: claim.target === 'preview' }, release);
    await markReplaced(tx, claim);
    if (claim.target === 'live') {
      const { id: siteId, live_release: replaced } = claim.site;
      // first, because it may need documents that have not been read, and then the transaction runs again
      await announceRelease(tx, held, { siteId, url: release.url, release: release.id, replaced });
      await keepAssets(tx, siteId, release.assets);
      const shown = claim.inputs.items.map(({ id }) => id);
      if (!claim.pinned) await dropPurgedRevisions(tx, siteId, shown);
    }
    await forgetAttempts(tx, claim.site.id, claim.target);
    await markVisible(tx, servingBuild(claim), release.pages);
    return true;
  };
  return withHeldObjects(objects, (held) => db.transaction((tx) => swap(tx, held)));
}

/**
 * Makes a finished build live (or the preview) and its jobs succeeded. A job succeeds only when no edge serves the
 * earlier release any more, so that a client waiting for it finds the new page; if the worker dies in between, the next build serves the
 * jobs again. Returns false when another swap or build came first.
 */
export async function finishBuild(
  { db, objects, edges }: { db: Database; objects: ObjectStore; edges: EdgeNotifier },
  claim: Claim,
  release: NewRelease,
): Promise<boolean> {
  if (!(await swapRelease(db, objects, claim, release))) return false;
  if (claim.target === 'live') await edges.siteSwapped(claim.site.id);
  const { id, pages, changed, bytes, url, warnings, why } = release;
  const result = { release: id, pages, changed, bytes, url, ...why, ...(warnings.length > 0 ? { warnings } : {}) };
  await succeedJobs(db, servingBuild(claim), result);
  return true;
}

/** Fails a build's jobs; the site does not change. Returns false when another build had already replaced this one. */
export async function failBuild(db: Database, claim: Claim, message: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx.query('UPDATE sites SET build_token = NULL WHERE id = $1 AND build_token = $2 RETURNING id', [
      claim.site.id,
      claim.token,
    ]);
    if (rows.length === 0) return false;
    const jobs = await failJobs(tx, servingBuild(claim), message);
    await forgetAttempts(tx, claim.site.id, claim.target);
    await announceFailedJobs(tx, claim.site.id, jobs, message);
    return true;
  });
}

/**
 * Returns a build's jobs to the queue, because another build replaces it or it timed out. The next build takes them.
 */
export async function releaseBuild(db: Database, claim: Claim): Promise<void> {
  await db.transaction(async (tx) => {
    await forgetAttempt(tx, claim.token);
    const rows = await tx.query('UPDATE sites SET build_token = NULL WHERE id = $1 AND build_token = $2 RETURNING id', [
      claim.site.id,
      claim.token,
    ]);
    if (rows.length === 0) return;
    await returnJobs(tx, servingBuild(claim));
  });
}
