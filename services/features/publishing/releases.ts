import { type Manifest, readDocument, readManifest, type StoredInputs } from '../../build/format.ts';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import { type PathSite, siteUrl } from '../../core/public-paths.ts';
import type { PageQuery } from '../../core/reply.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import { announceRelease } from './announce.ts';
import { assetsOf, keepAssets } from './kept-assets.ts';
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

/** An earlier release with the documents needed for a rollback to it. */
export interface RollbackPlan {
  release: Omit<ReleaseRow, 'live'>;
  manifest: Manifest;
  inputs: StoredInputs;
}

/** Reads what `rollBack` needs, before its transaction; changes nothing. Throws `not_found`. */
export async function planRollback(
  { db, objects }: { db: Db; objects: ReadBytes },
  siteId: string,
  releaseId: string,
): Promise<RollbackPlan> {
  const { manifest_hash, inputs_hash, ...release } = await selectRelease(db, siteId, releaseId);
  const manifest = await readManifest(objects, manifest_hash);
  const inputs = await readDocument<StoredInputs>(objects, inputs_hash);
  return { release, manifest, inputs };
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
  { release, manifest, inputs }: RollbackPlan,
): Promise<ReleaseRow> {
  const rolledBack = { ...release, live: true };
  const [site] = await tx.query<PathSite & { live_release: string | null }>(
    'SELECT slug, domain, default_locale, live_release FROM sites WHERE id = $1 FOR UPDATE',
    [siteId],
  );
  if (!site) throw notFound('site');
  if (site.live_release === release.id) return rolledBack;
  await tx.query('UPDATE sites SET live_release = $2, version = version + 1 WHERE id = $1', [siteId, release.id]);
  await tx.query('UPDATE releases SET replaced_at = now() WHERE id = $1', [site.live_release]);
  const kept = await tx.query('UPDATE releases SET replaced_at = NULL WHERE id = $1 RETURNING id', [release.id]);
  if (kept.length === 0) throw notFound('release'); // it was collected meanwhile
  await keepAssets(tx, siteId, assetsOf(manifest));
  const change = { siteId, url: `${siteUrl(site, config)}/`, release: release.id, replaced: site.live_release };
  await announceRelease(tx, objects, change);
  // its pages contain the URL that the site had then: the build replaces it with the current one
  if (siteUrl(inputs.site, config) !== siteUrl(site, config)) await requestAsPublished(tx, siteId);
  return rolledBack;
}
