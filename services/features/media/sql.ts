import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import { type FocalPoint, type MediaKind, type MediaRow, mediaColumns, type StoredFile } from './row.ts';

export interface NewMedia extends StoredFile {
  siteId: string;
  alt: string | null;
  decorative: boolean;
  focalPoint: FocalPoint | null;
  sourceUrl: string | null;
}

export async function insertMedia(db: Db, media: NewMedia): Promise<MediaRow> {
  const rows = await db.query<MediaRow>(
    `INSERT INTO media (site_id, kind, filename, mime_type, bytes, sha256, width, height, alt, decorative, status, variants, source_url, work,
       focal_point, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '[]'::JSONB, $12, $13, $14::JSONB, clock_timestamp())
     RETURNING ${mediaColumns}`,
    [
      media.siteId,
      media.kind,
      media.filename,
      media.mime_type,
      media.bytes,
      media.sha256,
      media.width,
      media.height,
      media.alt,
      media.decorative,
      media.work ? 'processing' : 'ready',
      media.sourceUrl,
      media.work,
      media.focalPoint ? JSON.stringify(media.focalPoint) : null,
    ],
  );
  return rows[0]!;
}

export async function selectMedia(db: Db, siteId: string, id: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(`SELECT ${mediaColumns} FROM media WHERE id = $1 AND site_id = $2`, [
    id,
    siteId,
  ]);
  return rows[0];
}

/** The newest item that was imported from this URL; one outside the trash is preferred. */
export async function selectMediaBySource(db: Db, siteId: string, url: string): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `SELECT ${mediaColumns} FROM media WHERE site_id = $1 AND md5(source_url) = md5($2::TEXT) AND source_url = $2 AND status <> 'failed'
     ORDER BY (CASE WHEN trashed_at IS NULL THEN 0 ELSE 1 END), created_at DESC, id DESC LIMIT 1`,
    [siteId, url],
  );
  return rows[0];
}

/** One page of the library, newest first; `kinds` null takes all of them. */
export function selectLibraryPage(
  db: Db,
  siteId: string,
  kinds: readonly MediaKind[] | null,
  page: PageQuery,
): Promise<Page<MediaRow>> {
  const where = `site_id = $1 AND trashed_at IS NULL${kinds ? ' AND kind = ANY($2::TEXT[])' : ''}`;
  const source = { columns: mediaColumns, from: 'media', where, order: 'created_at DESC, id DESC' };
  return selectPage(db, source, kinds ? [siteId, kinds] : [siteId], page);
}

/** One page of the trash, last trashed first. */
export function selectTrashPage(db: Db, siteId: string, page: PageQuery): Promise<Page<MediaRow>> {
  const where = 'site_id = $1 AND trashed_at IS NOT NULL';
  const source = { columns: mediaColumns, from: 'media', where, order: 'trashed_at DESC, id DESC' };
  return selectPage(db, source, [siteId], page);
}

export async function updateDescription(
  db: Db,
  siteId: string,
  id: string,
  { alt, decorative, focal_point }: Pick<MediaRow, 'alt' | 'decorative' | 'focal_point'>,
): Promise<MediaRow | undefined> {
  const rows = await db.query<MediaRow>(
    `UPDATE media SET alt = $3, decorative = $4, focal_point = $5::JSONB, revision = revision + 1, updated_at = clock_timestamp()
     WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL RETURNING ${mediaColumns}`,
    [id, siteId, alt, decorative, focal_point ? JSON.stringify(focal_point) : null],
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

/** Its bytes are collected later, unless something else refers to them. */
export async function purgeMediaRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM media WHERE id = $1 AND site_id = $2 AND trashed_at IS NOT NULL RETURNING id',
    [id, siteId],
  );
  return rows.length > 0;
}
