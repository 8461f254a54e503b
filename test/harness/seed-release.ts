import { randomUUID } from 'node:crypto';
import { assetsPrefix, type FileEntry, type Manifest } from '../../services/build/manifest.ts';
import type { ObjectStore } from '../../services/engines/objects/store.ts';
import type { Database } from '../../services/engines/sql/database.ts';
import { keepAssets } from '../../services/features/publishing/kept-assets.ts';

export interface SeededFile {
  body: Buffer | string;
  type?: string;
  csp?: string;
}

/** The contents of a release: path → file, an editor's redirects, and the 404 page of each locale. */
export interface SeededRelease {
  files: Record<string, SeededFile>;
  redirects?: Manifest['redirects'];
  notFound?: Manifest['not_found'];
}

interface Engines {
  db: Database;
  objects: ObjectStore;
}

/** Creates a site without a release; returns its id. */
export async function seedSite(db: Database, slug: string, domain: string | null = null): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO sites (slug, name, domain, default_locale, locales, settings)
     VALUES ($1, $1, $2, 'en', '[{"locale": "en", "name": "English"}]', '{}') RETURNING id`,
    [slug, domain],
  );
  return row!.id;
}

function indexOf(list: string[], value: string): number {
  const index = list.indexOf(value);
  return index < 0 ? list.push(value) - 1 : index;
}

/**
 * Stores a release of a site exactly as given, as a build does: packs, manifest, release row, pointer, assets. For
 * tests of serving that need bytes, types and rules which no template would produce. Returns the release's id.
 */
export async function seedRelease(
  { db, objects }: Engines,
  siteId: string,
  release: SeededRelease,
  target: 'live' | 'preview' = 'live',
): Promise<string> {
  const id = randomUUID();
  const paths = Object.keys(release.files);
  const places = await objects.putMany(Object.values(release.files).map((file) => Buffer.from(file.body)));
  const manifest: Manifest = {
    format: 1,
    site: siteId,
    release: id,
    default_locale: 'en',
    packs: [],
    types: [],
    policies: [],
    files: {},
    redirects: release.redirects ?? {},
    not_found: release.notFound ?? [],
  };
  for (const [index, { hash, bytes, key, offset }] of places.entries()) {
    const file = release.files[paths[index]!]!;
    const type = indexOf(manifest.types, file.type ?? 'text/html; charset=utf-8');
    const policy = file.csp ? indexOf(manifest.policies, file.csp) : -1;
    const entry: FileEntry = [hash, bytes, type, indexOf(manifest.packs, key), offset, policy];
    manifest.files[paths[index]!] = entry;
  }
  const manifestHash = await objects.putBytes(Buffer.from(JSON.stringify(manifest)));
  const assets = paths
    .filter((path) => path.startsWith(assetsPrefix))
    .map((path) => {
      const [hash, bytes, type] = manifest.files[path]!;
      return { path, hash, bytes, type: manifest.types[type]! };
    });
  await db.transaction(async (tx) => {
    // collection reads the inputs of every release; any readable document suffices
    await tx.query(
      `INSERT INTO releases (id, site_id, preview, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes)
       VALUES ($1, $2, $3, $4, $4, '', $5, 0, 0)`,
      [id, siteId, target === 'preview', manifestHash, paths.length],
    );
    const pointer = target === 'live' ? 'live_release' : 'preview_release';
    await tx.query(`UPDATE sites SET ${pointer} = $2, version = version + 1 WHERE id = $1`, [siteId, id]);
    if (target === 'live') await keepAssets(tx, siteId, assets);
  });
  return id;
}
