import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { selectPage } from '../../engines/sql/page.ts';
import type { SealedRow } from '../signing-secrets.ts';
import type { MapperName } from './mapper-names.ts';

export interface IntegrationRow extends SealedRow {
  site_id: string;
  slug: string;
  name: string;
  mapper: MapperName;
  enabled: boolean;
  created_at: Date;
}

export const integrationColumns =
  'id, site_id, slug, name, mapper, enabled, secret, previous_secret, previous_until, created_at';

type NewIntegration = Pick<IntegrationRow, 'id' | 'site_id' | 'slug' | 'name' | 'mapper' | 'enabled' | 'secret'>;

/** Inserts an integration; returns undefined when the slug is in use. */
export async function insertIntegration(db: Db, row: NewIntegration): Promise<IntegrationRow | undefined> {
  const rows = await db.query<IntegrationRow>(
    `INSERT INTO integrations (id, site_id, slug, name, mapper, enabled, secret, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp()) ON CONFLICT (slug) DO NOTHING RETURNING ${integrationColumns}`,
    [row.id, row.site_id, row.slug, row.name, row.mapper, row.enabled, row.secret],
  );
  return rows[0];
}

export async function selectIntegration(db: Db, siteId: string, id: string): Promise<IntegrationRow | undefined> {
  const sql = `SELECT ${integrationColumns} FROM integrations WHERE id = $1 AND site_id = $2`;
  return (await db.query<IntegrationRow>(sql, [id, siteId]))[0];
}

export async function selectIntegrationById(db: Db, id: string): Promise<IntegrationRow | undefined> {
  return (await db.query<IntegrationRow>(`SELECT ${integrationColumns} FROM integrations WHERE id = $1`, [id]))[0];
}

export async function selectIntegrationBySlug(db: Db, slug: string): Promise<IntegrationRow | undefined> {
  return (await db.query<IntegrationRow>(`SELECT ${integrationColumns} FROM integrations WHERE slug = $1`, [slug]))[0];
}

export async function selectIntegrationIds(db: Db, siteId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>('SELECT id FROM integrations WHERE site_id = $1', [siteId]);
  return rows.map(({ id }) => id);
}

/** Selects a page of a site's integrations, newest first. */
export function selectIntegrations(db: Db, siteId: string, page: PageQuery) {
  const order = 'created_at DESC, id DESC';
  const source = { columns: integrationColumns, from: 'integrations', where: 'site_id = $1', order };
  return selectPage<IntegrationRow>(db, source, [siteId], page);
}

/** Selects every integration with its site's slug, newest first; `siteSlug` limits the result to one site. */
export async function selectAllIntegrations(db: Db, siteSlug: string | null) {
  return db.query<IntegrationRow & { site_slug: string }>(
    `SELECT ${integrationColumns
      .split(', ')
      .map((column) => `i.${column}`)
      .join(', ')}, s.slug AS site_slug
     FROM integrations i JOIN sites s ON s.id = i.site_id
     WHERE $1::TEXT IS NULL OR s.slug = $1::TEXT ORDER BY i.created_at DESC, i.id DESC`,
    [siteSlug],
  );
}

/** Returns those of the slugs that are in use by an integration of any site. */
export async function selectTakenIntegrationSlugs(db: Db, slugs: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ slug: string }>('SELECT slug FROM integrations WHERE slug = ANY($1::TEXT[])', [slugs]);
  return new Set(rows.map((row) => row.slug));
}

export async function updateIntegrationRow(
  db: Db,
  id: string,
  { name, enabled }: Partial<Pick<IntegrationRow, 'name' | 'enabled'>>,
): Promise<IntegrationRow | undefined> {
  const rows = await db.query<IntegrationRow>(
    `UPDATE integrations SET name = COALESCE($2::TEXT, name), enabled = COALESCE($3::BOOLEAN, enabled)
     WHERE id = $1 RETURNING ${integrationColumns}`,
    [id, name ?? null, enabled ?? null],
  );
  return rows[0];
}

export async function deleteIntegrationRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM integrations WHERE id = $1 AND site_id = $2 RETURNING id', [id, siteId]);
  return rows.length > 0;
}
