import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import { type MediaKind, type MediaRow, mediaColumns } from './row.ts';

export async function selectMedia(db: Db, siteId: string, id: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(`SELECT ${mediaColumns} FROM media WHERE id = $1 AND site_id = $2`, [
    id,
    siteId,
  ]);
  return rows[0];
}

/** Selects the newest item imported from this URL, preferring one outside the trash. */
export async function selectMediaBySource(db: Db, siteId: string, url: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `SELECT ${mediaColumns} FROM media WHERE site_id = $1 AND md5(source_url) = md5($2::TEXT) AND source_url = $2 AND status <> 'failed'
     ORDER BY (CASE WHEN trashed_at IS NULL THEN 0 ELSE 1 END), created_at DESC, id DESC LIMIT 1`,
    [siteId, url],
  );
  return rows[0];
}

/** Images by their alt text, as conditions. That of `missing` is the condition of its index, word by word. */
const altConditions = {
  missing: `kind = 'image' AND NOT decorative AND (alt_stand_in OR alt IS NULL OR alt = '')`,
  decorative: `kind = 'image' AND decorative`,
} as const;
export type AltState = keyof typeof altConditions;

/** Selects a page of the library, newest first; all kinds when `kinds` is null. */
export function selectLibraryPage(
  db: Db,
  siteId: string,
  { kind: kinds, alt }: { kind: readonly MediaKind[] | null; alt?: AltState | undefined },
  page: PageQuery,
): Promise<Page<MediaRow>> {
  const ofAlt = alt ? ` AND ${altConditions[alt]}` : '';
  const where = `site_id = $1 AND trashed_at IS NULL${ofAlt}${kinds ? ' AND kind = ANY($2::TEXT[])' : ''}`;
  const source = { columns: mediaColumns, from: 'media', where, order: 'created_at DESC, id DESC' };
  return selectPage(db, source, kinds ? [siteId, kinds] : [siteId], page);
}

/** Selects a page of the trash, last trashed first. */
export function selectTrashPage(db: Db, siteId: string, page: PageQuery): Promise<Page<MediaRow>> {
  const where = 'site_id = $1 AND trashed_at IS NOT NULL';
  const source = { columns: mediaColumns, from: 'media', where, order: 'trashed_at DESC, id DESC' };
  return selectPage(db, source, [siteId], page);
}

export async function updateDescription(
  db: Db,
  siteId: string,
  id: string,
  { alt, alt_stand_in, decorative, focal_point }: Pick<MediaRow, 'alt' | 'alt_stand_in' | 'decorative' | 'focal_point'>,
): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `UPDATE media SET alt = $3, decorative = $4, focal_point = $5::JSONB, alt_stand_in = $6, revision = revision + 1, updated_at = clock_timestamp()
     WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL RETURNING ${mediaColumns}`,
    [id, siteId, alt, decorative, focal_point ? JSON.stringify(focal_point) : null, alt_stand_in],
  );
  return rows[0];
}

export async function trashMediaRow(db: Db, siteId: string, id: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `UPDATE media SET trashed_at = clock_timestamp() WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL
     RETURNING ${mediaColumns}`,
    [id, siteId],
  );
  return rows[0];
}

export async function restoreMediaRow(db: Db, siteId: string, id: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `UPDATE media SET trashed_at = NULL WHERE id = $1 AND site_id = $2 AND trashed_at IS NOT NULL
     RETURNING ${mediaColumns}`,
    [id, siteId],
  );
  return rows[0];
}

/** Deletes a trashed item. Its bytes are collected later, unless something else refers to them. */
export async function purgeMediaRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM media WHERE id = $1 AND site_id = $2 AND trashed_at IS NOT NULL RETURNING id',
    [id, siteId],
  );
  return rows.length > 0;
}
