import type { Db } from '../../core/db.ts';
import {
  allColumns,
  type BodilessRow,
  bodilessColumns,
  type ContentRow,
  revisionRecord,
  type WrittenContent,
  writtenColumns,
  writtenCount,
  writtenPlaceholders,
  writtenValues,
} from './row.ts';

/** Rows over which a site's count is spread, so that writers seldom wait for each other. */
const countShards = 64;
const randomShard = () => Math.floor(Math.random() * countShards);

const insertRevision = (source: string, record: string, changedBy: string, at = 'updated_at') =>
  `INSERT INTO content_revisions (content_id, revision, site_id, record, body_html, body_hash, changed_by, created_at)
   SELECT id, revision, site_id, ${record}::JSONB, body_html, body_hash, ${changedBy}::TEXT, ${at} FROM ${source}`;

/** Adds to the site's count of items that are not in the trash. */
const addToCount = (source: string, shard: string, sign: '' | '-') =>
  `INSERT INTO content_counts (site_id, shard, active) SELECT site_id, ${shard}::INT8, ${sign}1 FROM ${source}
   ON CONFLICT (site_id, shard) DO UPDATE SET active = content_counts.active + excluded.active`;

/**
 * Stores the text that `q` searches, in its own table so that reads of items do not load it. Null keeps the stored
 * text.
 */
const writeText = (source: string, text: string) =>
  `INSERT INTO content_texts (site_id, content_id, body) SELECT site_id, id, ${text}::TEXT FROM ${source}
   WHERE ${text}::TEXT IS NOT NULL ON CONFLICT (site_id, content_id) DO UPDATE SET body = excluded.body`;

/** Records that items were written, for builds, which read only such items again: every write of `content` does, except a purge. */
const recordChange = (source: string) =>
  `INSERT INTO content_changes (site_id, content_id) SELECT site_id, id FROM ${source}`;

const w = writtenCount;

const insertSql = `
  WITH item AS (
    INSERT INTO content (id, site_id, ${writtenColumns}, created_by, created_at, updated_at)
    VALUES ($1, $2, ${writtenPlaceholders(3)}, $${w + 7}, clock_timestamp(), clock_timestamp())
    ON CONFLICT (site_id, locale, slug) WHERE trashed_at IS NULL DO NOTHING
    RETURNING ${allColumns}
  ), revised AS (${insertRevision('item', `$${w + 3}`, `$${w + 4}`)} RETURNING content_id
  ), counted AS (${addToCount('item', `$${w + 5}`, '')} RETURNING shard
  ), changed AS (${recordChange('item')} RETURNING content_id
  ), searched AS (${writeText('item', `$${w + 6}`)} RETURNING content_id)
  SELECT ${allColumns} FROM item`;

/** Inserts a row; returns undefined if the slug is in use. Violates `content_source_ref_key` if the reference is. */
export async function insertContent(
  db: Db,
  id: string,
  siteId: string,
  item: WrittenContent,
  bodyText: string,
  { changedBy, createdBy }: { changedBy: string; createdBy: string | null },
): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(insertSql, [
    id,
    siteId,
    ...writtenValues(item),
    revisionRecord(item),
    changedBy,
    randomShard(),
    bodyText,
    createdBy,
  ]);
  return rows[0];
}

const updateSql = `
  WITH item AS (
    UPDATE content SET (${writtenColumns}, revision, updated_at) = (${writtenPlaceholders(3)}, revision + 1, clock_timestamp())
    WHERE id = $1 AND revision = $2 AND (trashed_at IS NULL) = $${w + 6}::BOOL
    RETURNING ${allColumns}
  ), revised AS (${insertRevision('item', `$${w + 3}`, `$${w + 4}`)} RETURNING content_id
  ), changed AS (${recordChange('item')} RETURNING content_id
  ), searched AS (${writeText('item', `$${w + 5}`)} RETURNING content_id)
  SELECT ${allColumns} FROM item`;

/**
 * Updates the row `current` to `item`; returns undefined if it was changed, trashed or restored since it was read.
 * `bodyText` is null unless the body changed. Violates `content_slug_key` if the slug is in use.
 */
export async function updateContentRow(
  db: Db,
  current: Pick<ContentRow, 'id' | 'revision' | 'trashed_at'>,
  item: WrittenContent,
  changedBy: string,
  bodyText: string | null = null,
): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(updateSql, [
    current.id,
    current.revision,
    ...writtenValues(item),
    revisionRecord(item),
    changedBy,
    bodyText,
    current.trashed_at === null,
  ]);
  return rows[0];
}

export async function selectContent(db: Db, siteId: string, id: string): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(`SELECT ${allColumns} FROM content WHERE id = $1 AND site_id = $2`, [
    id,
    siteId,
  ]);
  return rows[0];
}

/** Selects the existing items among `ids`, in no particular order, including those in the trash. */
export function selectContents(db: Db, siteId: string, ids: readonly string[]): Promise<ContentRow[]> {
  return db.query<ContentRow>(`SELECT ${allColumns} FROM content WHERE site_id = $1 AND id = ANY($2::UUID[])`, [
    siteId,
    ids,
  ]);
}

/** Selects an item without its body. */
export async function selectBodiless(db: Db, siteId: string, id: string): Promise<BodilessRow | undefined> {
  const sql = `SELECT ${bodilessColumns} FROM content WHERE id = $1 AND site_id = $2`;
  return (await db.query<BodilessRow>(sql, [id, siteId]))[0];
}

/** The current state of an item, as results show it. */
export type ContentPlace = Pick<ContentRow, 'id' | 'revision' | 'type' | 'slug' | 'locale' | 'status' | 'trashed_at'>;

/** Selects the existing items among `ids`, without their texts. */
export async function selectContentPlaces(db: Db, siteId: string, ids: readonly string[]): Promise<ContentPlace[]> {
  return db.query<ContentPlace>(
    'SELECT id, revision, type, slug, locale, status, trashed_at FROM content WHERE site_id = $1 AND id = ANY($2::UUID[])',
    [siteId, ids],
  );
}

export async function selectContentByRef(
  db: Db,
  siteId: string,
  scope: string,
  ref: string,
): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(
    `SELECT ${allColumns} FROM content WHERE site_id = $1 AND source_scope = $2 AND source_ref = $3`,
    [siteId, scope, ref],
  );
  return rows[0];
}

/** Returns which of the slugs are in use outside the trash, ignoring the item `exceptId`. */
export async function selectTakenSlugs(
  db: Db,
  siteId: string,
  locale: string,
  slugs: readonly string[],
  exceptId: string | null,
): Promise<Set<string>> {
  const rows = await db.query<{ slug: string }>(
    `SELECT slug FROM content WHERE site_id = $1 AND locale = $2 AND trashed_at IS NULL
       AND slug = ANY($3::TEXT[]) AND ($4::UUID IS NULL OR id <> $4::UUID)`,
    [siteId, locale, slugs, exceptId],
  );
  return new Set(rows.map((row) => row.slug));
}

const trashSql = `
  WITH item AS (
    UPDATE content SET trashed_at = clock_timestamp()
    WHERE id = $1 AND site_id = $2 AND revision = $4 AND trashed_at IS NULL
    RETURNING ${allColumns}
  ), changed AS (${recordChange('item')} RETURNING content_id
  ), counted AS (${addToCount('item', '$3', '-')} RETURNING shard)
  SELECT ${allColumns} FROM item`;

/** Moves a row to the trash; returns undefined if it was changed concurrently. */
export async function trashContentRow(db: Db, row: ContentRow): Promise<ContentRow | undefined> {
  return (await db.query<ContentRow>(trashSql, [row.id, row.site_id, randomShard(), row.revision]))[0];
}

const restoreSql = `
  WITH item AS (
    UPDATE content SET trashed_at = NULL, slug = $3, revision = revision + 1
    WHERE id = $1 AND site_id = $2 AND revision = $4 AND trashed_at IS NOT NULL
    RETURNING ${allColumns}
  ), revised AS (${insertRevision('item', '$5', '$6', 'clock_timestamp()')} RETURNING content_id
  ), changed AS (${recordChange('item')} RETURNING content_id
  ), counted AS (${addToCount('item', '$7', '')} RETURNING shard)
  SELECT ${allColumns} FROM item`;

/** Restores a trashed row, possibly under another slug; returns undefined if it was changed concurrently. */
export async function restoreContentRow(
  db: Db,
  row: ContentRow,
  slug: string,
  changedBy: string,
): Promise<ContentRow | undefined> {
  const record = revisionRecord({ ...row, slug });
  const params = [row.id, row.site_id, slug, row.revision, record, changedBy, randomShard()];
  return (await db.query<ContentRow>(restoreSql, params))[0];
}

export async function purgeContentRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query(
    `WITH item AS (DELETE FROM content WHERE id = $1 AND site_id = $2 AND trashed_at IS NOT NULL RETURNING id, site_id),
     searched AS (
       DELETE FROM content_texts WHERE site_id = $2 AND content_id IN (SELECT item.id FROM item) RETURNING content_id
     )
     SELECT id FROM item`,
    [id, siteId],
  );
  return rows.length > 0;
}

/** Returns the locale of an item outside the trash, for checking the original of a translation. */
export async function selectTranslatable(db: Db, siteId: string, id: string): Promise<{ locale: string } | undefined> {
  const rows = await db.query<{ locale: string }>(
    'SELECT locale FROM content WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL',
    [id, siteId],
  );
  return rows[0];
}

/** Locks an item until the caller's transaction ends. */
export async function lockContent(db: Db, id: string): Promise<void> {
  await db.query('SELECT id FROM content WHERE id = $1 FOR UPDATE', [id]);
}

/** Returns the id of a translation of the item into the language, outside the trash and other than `exceptId`. */
export async function selectTranslation(
  db: Db,
  originalId: string,
  locale: string,
  exceptId: string | null,
): Promise<string | undefined> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM content WHERE translation_of = $1 AND locale = $2 AND trashed_at IS NULL
       AND id IS DISTINCT FROM $3::UUID LIMIT 1`,
    [originalId, locale, exceptId],
  );
  return rows[0]?.id;
}

export async function mediaExists(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query('SELECT id FROM media WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL', [
    id,
    siteId,
  ]);
  return rows.length > 0;
}

export async function selectPageBySlug(
  db: Db,
  siteId: string,
  locale: string,
  slug: string,
): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(
    `SELECT ${allColumns} FROM content
     WHERE site_id = $1 AND locale = $2 AND slug = $3 AND type = 'page' AND trashed_at IS NULL`,
    [siteId, locale, slug],
  );
  return rows[0];
}

/** Returns whether any item of the site has this type, including the trash. */
export async function usesType(db: Db, siteId: string, type: string): Promise<boolean> {
  return (await db.query('SELECT id FROM content WHERE site_id = $1 AND type = $2 LIMIT 1', [siteId, type])).length > 0;
}

type StoredFields = Pick<ContentRow, 'type' | 'fields'>;

/** Selects what checking its fields needs of an item, including items in the trash. */
export async function selectFields(db: Db, siteId: string, id: string): Promise<StoredFields | undefined> {
  const sql = 'SELECT type, fields FROM content WHERE id = $1 AND site_id = $2';
  return (await db.query<StoredFields>(sql, [id, siteId]))[0];
}

/** Selects the same by the `source_ref` of an API client. */
export async function selectFieldsByRef(db: Db, siteId: string, ref: string): Promise<StoredFields | undefined> {
  const sql = `SELECT type, fields FROM content WHERE site_id = $1 AND source_scope = '' AND source_ref = $2`;
  return (await db.query<StoredFields>(sql, [siteId, ref]))[0];
}
