import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';

const columnNames = [
  'id',
  'slug',
  'name',
  'domain',
  'aliases',
  'default_locale',
  'locales',
  'settings',
  'live_release',
  'preview_release',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Site)[];
const columns = columnNames.join(', ');

/** The columns of a joined site `s`, with names that no other table has; `readJoinedSite` reads them. */
export const joinedSiteColumns = columnNames.map((name) => `s.${name} AS site_${name}`).join(', ');

/** A row with `joinedSiteColumns`; all are null without a site. */
export type JoinedSiteRow = { [Name in (typeof columnNames)[number] as `site_${Name}`]: Site[Name] | null };

/** Returns the joined site of a row, or undefined without one. */
export function readJoinedSite(row: JoinedSiteRow): Site | undefined {
  if (row.site_id === null) return undefined;
  return Object.fromEntries(columnNames.map((name) => [name, row[`site_${name}`]])) as unknown as Site;
}

export async function selectSiteBySlug(db: Db, slug: string): Promise<Site | undefined> {
  const rows = await db.query<Site>(`SELECT ${columns} FROM sites WHERE slug = $1`, [slug]);
  return rows[0];
}

export async function selectSiteById(db: Db, id: string): Promise<Site | undefined> {
  const rows = await db.query<Site>(`SELECT ${columns} FROM sites WHERE id = $1`, [id]);
  return rows[0];
}

/** Returns a page of sites. `slugs`: the key's sites; null for every site. */
export function selectSites(db: Db, slugs: string[] | null, page: PageQuery) {
  const source: LargeListSource = {
    columns,
    table: 'sites',
    scope: slugs ? 'slug = ANY($1::TEXT[])' : 'true',
    scopeParams: slugs ? [slugs] : [],
    order: 'created_at DESC, id DESC',
    key: { column: 'id', type: 'UUID' },
    bytes: 'octet_length(settings::TEXT) + octet_length(locales::TEXT)',
  };
  return selectLargePage<Site>(db, source, page);
}

/** Returns the slugs and names of at most `limit` sites by name. `slugs`: only these; null for every site. */
export function selectSiteNames(
  db: Db,
  slugs: string[] | null,
  limit: number,
): Promise<{ slug: string; name: string }[]> {
  return db.query<{ slug: string; name: string }>(
    'SELECT slug, name FROM sites WHERE $1::TEXT[] IS NULL OR slug = ANY($1::TEXT[]) ORDER BY name, slug LIMIT $2',
    [slugs, limit],
  );
}

type NewSite = Pick<Site, 'slug' | 'name' | 'domain' | 'aliases' | 'default_locale' | 'locales' | 'settings'>;

/**
 * Inserts a site. Returns undefined when the slug is in use; throws a unique violation on `sites_domain_key` when the
 * domain is.
 */
export async function insertSite(db: Db, site: NewSite): Promise<Site | undefined> {
  const rows = await db.query<Site>(
    `INSERT INTO sites (slug, name, domain, aliases, default_locale, locales, settings)
     VALUES ($1, $2, $3, $4::TEXT[], $5, $6::JSONB, $7::JSONB)
     ON CONFLICT (slug) DO NOTHING RETURNING ${columns}`,
    [
      site.slug,
      site.name,
      site.domain,
      site.aliases,
      site.default_locale,
      JSON.stringify(site.locales),
      JSON.stringify(site.settings),
    ],
  );
  return rows[0];
}

export async function selectSiteForUpdate(db: Db, id: string): Promise<Site | undefined> {
  const rows = await db.query<Site>(`SELECT ${columns} FROM sites WHERE id = $1 FOR UPDATE`, [id]);
  return rows[0];
}

export async function updateSiteRow(db: Db, site: NewSite & { id: string }): Promise<Site> {
  const rows = await db.query<Site>(
    `UPDATE sites SET name = $2, domain = $3, aliases = $4::TEXT[], default_locale = $5, locales = $6::JSONB,
       settings = $7::JSONB, updated_at = now()
     WHERE id = $1 RETURNING ${columns}`,
    [
      site.id,
      site.name,
      site.domain,
      site.aliases,
      site.default_locale,
      JSON.stringify(site.locales),
      JSON.stringify(site.settings),
    ],
  );
  return rows[0]!;
}

/**
 * Deletes a site with everything in it, and the roles that users have on it, so that a later site of this slug has none
 * of its members. Its objects are collected later.
 */
export async function deleteSiteRow(db: Db, id: string): Promise<void> {
  await db.query(
    `WITH members AS (DELETE FROM site_members WHERE site = (SELECT s.slug FROM sites s WHERE s.id = $1) RETURNING site),
       changes AS (DELETE FROM content_changes WHERE site_id = $1 RETURNING id)
     DELETE FROM sites WHERE id = $1`,
    [id],
  );
}
