import { assetsPrefix, getManifestFile, type Manifest, type PublicFile } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';

/** How long an asset stays available after a release replaced it (contract: Public paths). */
const assetRetentionHours = 24;

/** Returns the assets of a release. */
export function assetsOf(manifest: Manifest): PublicFile[] {
  const paths = Object.keys(manifest.files).filter((path) => path.startsWith(assetsPrefix));
  return paths.map((path) => getManifestFile(manifest, path)!);
}

/** Assets that a release has and the one before lacks, and the paths of those that it lacks. */
export interface AssetChanges {
  added: PublicFile[];
  removed: string[];
}

/** Returns how the assets of two releases differ. */
export function compareAssets(before: Manifest, now: Manifest): AssetChanges {
  const [known, assets] = [assetsOf(before), assetsOf(now)];
  const [knownPaths, paths] = [known, assets].map((list) => new Set(list.map(({ path }) => path)));
  return {
    added: assets.filter(({ path }) => !knownPaths!.has(path)),
    removed: known.map(({ path }) => path).filter((path) => !paths!.has(path)),
  };
}

/**
 * Makes `assets` the assets of the live release: others retire now and are deleted a day later; retired ones that it
 * has are restored.
 */
export async function keepAssets(tx: Db, siteId: string, assets: readonly PublicFile[]): Promise<void> {
  await tx.query(
    `UPDATE site_assets SET retired_at = now() WHERE site_id = $1 AND retired_at IS NULL AND NOT (path = ANY($2::TEXT[]))`,
    [siteId, assets.map(({ path }) => path)],
  );
  await storeAssets(tx, siteId, assets);
}

/** Does the same for a live release whose assets differ from those of the one before by these. */
export async function changeAssets(tx: Db, siteId: string, { added, removed }: AssetChanges): Promise<void> {
  await tx.query(
    'UPDATE site_assets SET retired_at = now() WHERE site_id = $1 AND retired_at IS NULL AND path = ANY($2::TEXT[])',
    [siteId, removed],
  );
  await storeAssets(tx, siteId, added);
}

async function storeAssets(tx: Db, siteId: string, assets: readonly PublicFile[]): Promise<void> {
  await tx.query(`DELETE FROM site_assets WHERE site_id = $1 AND retired_at < now() - $2::INT8 * INTERVAL '1 hour'`, [
    siteId,
    assetRetentionHours,
  ]);
  if (assets.length === 0) return;
  await tx.query(
    `INSERT INTO site_assets (site_id, path, hash, bytes, content_type)
     SELECT $1::UUID, u.path, u.hash, u.bytes, u.content_type
     FROM unnest($2::TEXT[], $3::TEXT[], $4::INT8[], $5::TEXT[]) AS u (path, hash, bytes, content_type)
     ON CONFLICT (site_id, path) DO UPDATE SET retired_at = NULL WHERE site_assets.retired_at IS NOT NULL`,
    [
      siteId,
      assets.map((asset) => asset.path),
      assets.map((asset) => asset.hash),
      assets.map((asset) => asset.bytes),
      assets.map((asset) => asset.type),
    ],
  );
}
