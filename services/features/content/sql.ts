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

/** Rows that share a site's count, so that writers seldom wait for one another. */
const countShards = 64;
const anyShard = () => Math.floor(Math.random() * countShards);

const insertRevision = (source: string, record: string, changedBy: string, at = 'updated_at') =>
  `INSERT INTO content_revisions (content_id, revision, site_id, record, body_html, body_hash, changed_by, created_at)
   SELECT id, revision, site_id, ${record}::JSONB, body_html, body_hash, ${changedBy}::TEXT, ${at} FROM ${source}`;

/** Adds to the site's count of items that are not in the trash. */
const addToCount = (source: string, shard: string, sign: '' | '-') =>
  `INSERT INTO content_counts (site_id, shard, active) SELECT site_id, ${shard}::INT8, ${sign}1 FROM ${source}
   ON CONFLICT (site_id, shard) DO UPDATE SET active = content_counts.active + excluded.active`;

/** What `q` finds in the body: kept beside the row, so that reads do not carry it. Null leaves it as it is. */
const writeText = (source: string, text: string) =>
  `INSERT INTO content_texts (site_id, content_id, body) SELECT site_id, id, ${text}::TEXT FROM ${source}
   WHERE ${text}::TEXT IS NOT NULL ON CONFLICT (site_id, content_id) DO UPDATE SET body = excluded.body`;

const w = writtenCount;

const insertSql = `
  WITH item AS (
    INSERT INTO content (id, site_id, ${writtenColumns}, created_by, created_at, updated_at)
    VALUES ($1, $2, ${writtenPlaceholders(3)}, $${w + 7}, clock_timestamp(), clock_timestamp())
    ON CONFLICT (site_id, locale, slug) WHERE trashed_at IS NULL DO NOTHING
    RETURNING ${allColumns}
  ), revised AS (${insertRevision('item', `$${w + 3}`, `$${w + 4}`)} RETURNING content_id
  ), counted AS (${addToCount('item', `$${w + 5}`, '')} RETURNING shard
  ), searched AS (${writeText('item', `$${w + 6}`)} RETURNING content_id)
  SELECT ${allColumns} FROM item`;

/** The new row, or nothing when the slug is taken. Violates `content_source_ref_key` when the reference is. */
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
    anyShard(),
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
  ), searched AS (${writeText('item', `$${w + 5}`)} RETURNING content_id)
  SELECT ${allColumns} FROM item`;

/**
 * The row `known` changed to `item`, or nothing when somebody else has changed, trashed or restored it since it was read. `bodyText`
 * is null unless the body changed. Violates `content_slug_key` when the slug is taken.
 */
export async function updateContentRow(
  db: Db,
  known: Pick<ContentRow, 'id' | 'revision' | 'trashed_at'>,
  item: WrittenContent,
  changedBy: string,
  bodyText: string | null = null,
): Promise<ContentRow | undefined> {
  const rows = await db.query<ContentRow>(updateSql, [
    known.id,
    known.revision,
    ...writtenValues(item),
    revisionRecord(item),
    changedBy,
    bodyText,
    known.trashed_at === null,
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

/** An item without its body. */
export async function selectBodiless(db: Db, siteId: string, id: string): Promise<BodilessRow | undefined> {
  const sql = `SELECT ${bodilessColumns} FROM content WHERE id = $1 AND site_id = $2`;
  return (await db.query<BodilessRow>(sql, [id, siteId]))[0];
}

/** What a result says of an item, as it is now. */
export type ContentPlace = Pick<ContentRow, 'id' | 'revision' | 'type' | 'slug' | 'locale' | 'status' | 'trashed_at'>;

/** The items among these that there are, without their texts. */
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

/** Those of the slugs that items outside the trash hold; `exceptId` does not count. */
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
  ), counted AS (${addToCount('item', '$3', '-')} RETURNING shard)
  SELECT ${allColumns} FROM item`;

/** Puts a row into the trash; nothing when somebody else was faster. */
export async function trashContentRow(db: Db, row: ContentRow): Promise<ContentRow | undefined> {
  return (await db.query<ContentRow>(trashSql, [row.id, row.site_id, anyShard(), row.revision]))[0];
}

const restoreSql = `
  WITH item AS (
    UPDATE content SET trashed_at = NULL, slug = $3, revision = revision + 1
    WHERE id = $1 AND site_id = $2 AND revision = $4 AND trashed_at IS NOT NULL
    RETURNING ${allColumns}
  ), revised AS (${insertRevision('item', '$5', '$6', 'clock_timestamp()')} RETURNING content_id
  ), counted AS (${addToCount('item', '$7', '')} RETURNING shard)
  SELECT ${allColumns} FROM item`;

/** Brings a trashed row back under a slug that may be another; nothing when somebody else was faster. */
export async function restoreContentRow(
  db: Db,
  row: ContentRow,
  slug: string,
  changedBy: string,
): Promise<ContentRow | undefined> {
  const record = revisionRecord({ ...row, slug });
  const params = [row.id, row.site_id, slug, row.revision, record, changedBy, anyShard()];
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

/** Whether an id names an item of the default locale outside the trash: what a translation may refer to. */
export async function selectTranslatable(db: Db, siteId: string, id: string): Promise<{ locale: string } | undefined> {
  const rows = await db.query<{ locale: string }>(
    'SELECT locale FROM content WHERE id = $1 AND site_id = $2 AND trashed_at IS NULL',
    [id, siteId],
  );
  return rows[0];
}

/** Others that lock the same item wait until the caller's transaction has ended. */
export async function lockContent(db: Db, id: string): Promise<void> {
  await db.query('SELECT id FROM content WHERE id = $1 FOR UPDATE', [id]);
}

/** A translation of the item into the language, outside the trash and other than `exceptId`. */
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

/** Whether any item of the site, in the trash too, has this type. */
export async function usesType(db: Db, siteId: string, type: string): Promise<boolean> {
  return (await db.query('SELECT id FROM content WHERE site_id = $1 AND type = $2 LIMIT 1', [siteId, type])).length > 0;
}

type KnownFields = Pick<ContentRow, 'type' | 'fields'>;

/** What a check of its fields needs of an item, in the trash too. */
export async function selectFields(db: Db, siteId: string, id: string): Promise<KnownFields | undefined> {
  const sql = 'SELECT type, fields FROM content WHERE id = $1 AND site_id = $2';
  return (await db.query<KnownFields>(sql, [id, siteId]))[0];
}

/** The same by a reference of clients of the API. */
export async function selectFieldsByRef(db: Db, siteId: string, ref: string): Promise<KnownFields | undefined> {
  const sql = `SELECT type, fields FROM content WHERE site_id = $1 AND source_scope = '' AND source_ref = $2`;
  return (await db.query<KnownFields>(sql, [siteId, ref]))[0];
}
