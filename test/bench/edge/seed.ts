import { randomUUID } from 'node:crypto';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import type { Database } from '../../../services/engines/sql/database.ts';
import type { Manifest } from '../../../services/features/publishing/manifest.ts';

/** Makes a site whose live release has these pages (path → HTML), the way a build does: packs, manifest, pointer. */
export async function seedRelease(db: Database, objects: ObjectStore, slug: string, pages: Record<string, string>) {
  const paths = Object.keys(pages);
  const places = await objects.putMany(Object.values(pages).map((html) => Buffer.from(html)));
  const packs = [...new Set(places.map((place) => place.key))];
  const [siteId, releaseId] = [randomUUID(), randomUUID()];
  const manifest: Manifest = {
    format: 1,
    site: siteId,
    release: releaseId,
    default_locale: 'en',
    packs,
    types: ['text/html; charset=utf-8'],
    policies: ["default-src 'self'"],
    files: Object.fromEntries(
      places.map(({ hash, bytes, key, offset }, index) => [
        paths[index]!,
        [hash, bytes, 0, packs.indexOf(key), offset, 0] as const,
      ]),
    ) as Manifest['files'],
    redirects: {},
    not_found: [],
  };
  const manifestHash = await objects.putBytes(Buffer.from(JSON.stringify(manifest)));
  await db.query(
    `INSERT INTO sites (id, slug, name, domain, default_locale, locales, settings, live_release)
     VALUES ($1, $2, $2, $3, 'en', '[]', '{}', $4)`,
    [siteId, slug, `${slug}.example`, releaseId],
  );
  await db.query(
    `INSERT INTO releases (id, site_id, preview, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes)
     VALUES ($1, $2, false, $3, '', '', $4, 0, 0)`,
    [releaseId, siteId, manifestHash, paths.length],
  );
}
