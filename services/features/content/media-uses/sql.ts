import type { Db } from '../../../core/db.ts';
import type { PageQuery } from '../../../core/reply.ts';
import { countRows, type Page, selectPage } from '../../../engines/sql/page.ts';
import type { ContentRow } from '../row.ts';

/** The members of an item that can name a media item. Values of components are in its body. */
export const mediaPlaces = ['body_html', 'featured_media_id', 'fields'] as const;
export type MediaPlace = (typeof mediaPlaces)[number];

/** An item that names a media item, and where. */
export type MediaUse = Pick<ContentRow, 'id' | 'title' | 'type' | 'locale' | 'status' | 'trashed_at'> & {
  places: MediaPlace[];
};

export async function deleteMediaUses(db: Db, contentId: string, place: MediaPlace): Promise<void> {
  await db.query('DELETE FROM content_media WHERE content_id = $1 AND place = $2', [contentId, place]);
}

/** Inserts the uses of those ids that name media items of the site. */
export async function insertMediaUses(
  db: Db,
  siteId: string,
  contentId: string,
  place: MediaPlace,
  ids: readonly string[],
): Promise<void> {
  await db.query(
    `INSERT INTO content_media (site_id, media_id, content_id, place)
     SELECT m.site_id, m.id, $2::UUID, $3::TEXT FROM media m WHERE m.site_id = $1 AND m.id = ANY($4::UUID[])
     ON CONFLICT (site_id, media_id, content_id, place) DO NOTHING`,
    [siteId, contentId, place, ids as string[]],
  );
}

/**
 * Selects one page of the items that name a media item, including the trash, in the order of their ids: the primary key finds them
 * without a sort, whatever their number.
 */
export async function selectMediaUses(
  db: Db,
  siteId: string,
  mediaId: string,
  page: PageQuery,
): Promise<Page<MediaUse>> {
  const where = 'site_id = $1 AND media_id = $2';
  const params = [siteId, mediaId];
  const total = await countRows(
    db,
    { from: `(SELECT DISTINCT content_id FROM content_media WHERE ${where}) u`, where: 'true' },
    params,
  );
  const columns = 'content_id, array_agg(place ORDER BY place) AS places';
  const source = { columns, from: 'content_media', where: `${where} GROUP BY content_id`, order: 'content_id' };
  const uses = await selectPage<{ content_id: string; places: MediaPlace[] }>(db, source, params, page, total);
  const items = await db.query<Omit<MediaUse, 'places'>>(
    'SELECT id, title, type, locale, status, trashed_at FROM content WHERE site_id = $1 AND id = ANY($2::UUID[])',
    [siteId, uses.rows.map((row) => row.content_id)],
  );
  const byId = new Map(items.map((item) => [item.id, item]));
  const rows = uses.rows.flatMap(({ content_id, places }) => {
    const item = byId.get(content_id);
    return item ? [{ ...item, places }] : [];
  });
  return { rows, total };
}
