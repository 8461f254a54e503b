import { type PublicFile, readDiffering, readDocument, readManifest, type StoredInputs } from '../../build/format.ts';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import { type PathSite, siteUrl } from '../../core/public-paths.ts';
import type { PageQuery } from '../../core/reply.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import { announceRelease } from './announce.ts';
import { type AssetChanges, assetsOf, changeAssets, compareAssets, keepAssets } from './kept-assets.ts';
import { requestAsPublished } from './request.ts';

/** A release that was or is live. */
export interface ReleaseRow {
  id: string;
  live: boolean;
  pages: number;
  changed: number;
  bytes: number;
  created_at: Date;
}

const liveReleases = {
  columns: 'r.id, COALESCE(r.id = s.live_release, false) AS live, r.pages, r.changed, r.bytes, r.created_at',
  from: 'releases r JOIN sites s ON s.id = r.site_id',
  where: 'r.site_id = $1 AND r.preview = false',
};

/** Lists the live releases of a site, newest first, without previews. */
export async function listReleases(db: Db, siteId: string, page: PageQuery): Promise<Page<ReleaseRow>> {
  return selectPage(db, { ...liveReleases, order: 'r.created_at DESC, r.id DESC' }, [siteId], page);
}

/** A release that is or was live. Throws `not_found`. */
export async function requireRelease(db: Db, siteId: string, releaseId: string): Promise<ReleaseRow> {
  const { columns, from, where } = liveReleases;
  const [row] = await db.query<ReleaseRow>(`SELECT ${columns} FROM ${from} WHERE ${where} AND r.id = $2`, [
    siteId,
    releaseId,
  ]);
  if (!row) throw notFound('release');
  return row;
}

interface RollbackRow extends Omit<ReleaseRow, 'live'> {
  manifest_hash: string;
  inputs_hash: string;
}

async function selectRelease(db: Db, siteId: string, releaseId: string): Promise<RollbackRow> {
  const [row] = await db.query<RollbackRow>(
    `SELECT id, manifest_hash, inputs_hash, pages, changed, bytes, created_at FROM releases
     WHERE id = $1 AND site_id = $2 AND preview = false`,
    [releaseId, siteId],
  );
  if (!row) throw notFound('release');
  return row;
}

/** What a rollback to an earlier release changes. */
export interface RollbackPlan {
  release: Omit<ReleaseRow, 'live'>;
  manifestHash: string;
  /** The site as it was then. */
  site: StoredInputs['site'];
  /** The release that was live when this was planned, and how the assets differ from its assets. */
  replaced: string | null;
  assets: AssetPlan;
}

/** The assets of the release, or how they differ from those of the live release. */
type AssetPlan = { all: PublicFile[] } | AssetChanges;

/** Returns what becomes of the assets of a site. `live`: the release that is live now. Throws MissingObject. */
async function planAssets(db: Db, objects: ReadBytes, live: string | null, manifestHash: string): Promise<AssetPlan> {
  const rows = await db.query<{ manifest_hash: string }>('SELECT manifest_hash FROM releases WHERE id = $1', [live]);
  const readAll = async () => ({ all: assetsOf(await readManifest(objects, manifestHash)) });
  const [replaced] = rows;
  if (!replaced) return readAll();
  try {
    const { before, now } = await readDiffering(objects, { before: replaced.manifest_hash, now: manifestHash });
    return compareAssets(before, now);
  } catch (error) {
    if (!(error instanceof MissingObject)) throw error;
    return readAll(); // the store has lost what is live
  }
}

/** Reads what `rollBack` needs, before its transaction; changes nothing. Throws `not_found`. */
export async function planRollback(
  { db, objects }: { db: Db; objects: ReadBytes },
  siteId: string,
  releaseId: string,
): Promise<RollbackPlan> {
  const { manifest_hash: manifestHash, inputs_hash, ...release } = await selectRelease(db, siteId, releaseId);
  const [live] = await db.query<{ live_release: string | null }>('SELECT live_release FROM sites WHERE id = $1', [
    siteId,
  ]);
  const replaced = live?.live_release ?? null;
  const [assets, { site }] = await Promise.all([
    planAssets(db, objects, replaced, manifestHash),
    readDocument<StoredInputs>(objects, inputs_hash),
  ]);
  return { release, manifestHash, site, replaced, assets };
}

/**
 * Makes an earlier release live again without a build (contract: `releases rollback`), in the caller's transaction
 * `tx`. Increments the site's version, so that a running build cannot undo it without reading the site again. Its
 * assets are restored and those of the replaced release stay for a day. A release made before the site's host changed
 * is built again afterwards, with current links. Throws `not_found`; does nothing when the release is already live.
 */
export async function rollBack(
  { tx, objects, config }: { tx: Db; objects: ReadBytes; config: Pick<Config, 'edgeUrl'> },
  siteId: string,
  plan: RollbackPlan,
): Promise<ReleaseRow> {
  const { release, manifestHash } = plan;
  const rolledBack = { ...release, live: true };
  const [site] = await tx.query<PathSite & { live_release: string | null }>(
    'SELECT slug, domain, default_locale, live_release FROM sites WHERE id = $1 FOR UPDATE',
    [siteId],
  );
  if (!site) throw notFound('site');
  if (site.live_release === release.id) return rolledBack;
  const isAsPlanned = site.live_release === plan.replaced;
  const assets = isAsPlanned ? plan.assets : await planAssets(tx, objects, site.live_release, manifestHash);
  await tx.query('UPDATE sites SET live_release = $2, version = version + 1 WHERE id = $1', [siteId, release.id]);
  await tx.query('UPDATE releases SET replaced_at = now() WHERE id = $1', [site.live_release]);
  const kept = await tx.query('UPDATE releases SET replaced_at = NULL WHERE id = $1 RETURNING id', [release.id]);
  if (kept.length === 0) throw notFound('release'); // it was collected meanwhile
  if ('all' in assets) await keepAssets(tx, siteId, assets.all);
  else await changeAssets(tx, siteId, assets);
  const change = { siteId, url: `${siteUrl(site, config)}/`, release: release.id, replaced: site.live_release };
  await announceRelease(tx, objects, change);
  // its pages contain the URL that the site had then: the build replaces it with the current one
  if (siteUrl(plan.site, config) !== siteUrl(site, config)) await requestAsPublished(tx, siteId);
  return rolledBack;
}
