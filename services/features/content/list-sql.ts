import type { Db, SqlValue } from '../../core/db.ts';
import type { PageQuery } from '../../core/http.ts';
import { allColumns, type ContentRow } from './row.ts';
import type { ContentListQuery } from './schema.ts';

interface Listed {
  rows: ContentRow[];
  total: number;
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Conditions and their parameters from `$2` on; `$1` is the site. */
function filtersOf(query: ContentListQuery): { sql: string; params: SqlValue[] } {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  const add = (value: SqlValue, condition: (placeholder: string) => string) => {
    params.push(value);
    conditions.push(condition(`$${params.length + 1}`));
  };
  if (query.status) add(query.status, (p) => `status = ${p}`);
  if (query.type) add(query.type, (p) => `type = ${p}`);
  if (query.locale) add(query.locale, (p) => `locale = ${p}`);
  if (query.tag) add(query.tag, (p) => `${p}::TEXT = ANY(tags)`);
  if (query.updated_since) add(query.updated_since, (p) => `updated_at >= ${p}::TIMESTAMPTZ`);
  if (query.q)
    add(
      `%${escapeLike(query.q)}%`,
      (p) => `(title ILIKE ${p}::TEXT OR excerpt ILIKE ${p}::TEXT OR id IN (
        SELECT t.content_id FROM content_texts t WHERE t.site_id = $1 AND t.body ILIKE ${p}::TEXT))`,
    );
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), params };
}

async function pageOf(
  db: Db,
  where: string,
  params: SqlValue[],
  order: string,
  total: number,
  page: PageQuery,
): Promise<Listed> {
  const offset = (page.page - 1) * page.per_page;
  if (offset >= total) return { rows: [], total };
  const n = params.length;
  const rows = await db.query<ContentRow>(
    `SELECT ${allColumns} FROM content WHERE ${where} ORDER BY ${order} LIMIT $${n + 1} OFFSET $${n + 2}`,
    [...params, page.per_page, offset],
  );
  return { rows, total };
}

async function count(db: Db, where: string, params: SqlValue[]): Promise<number> {
  const rows = await db.query<{ total: number }>(`SELECT count(*) AS total FROM content WHERE ${where}`, params);
  return rows[0]!.total;
}

/**
 * One page of the items outside the trash, newest first, with the true total. Without filters the total is a sum of
 * counters, so that the first page costs the same at 1,000 and at 100,000 items.
 */
export async function selectContentPage(db: Db, siteId: string, query: ContentListQuery): Promise<Listed> {
  const filters = filtersOf(query);
  const where = `site_id = $1 AND trashed_at IS NULL${filters.sql}`;
  const params = [siteId, ...filters.params];
  const order = 'created_at DESC, id DESC';
  if (filters.params.length > 0) return pageOf(db, where, params, order, await count(db, where, params), query);
  const [sum] = await db.query<{ total: number }>(
    'SELECT COALESCE(sum(active), 0)::INT8 AS total FROM content_counts WHERE site_id = $1',
    [siteId],
  );
  return pageOf(db, where, params, order, sum!.total, query);
}

/** One page of the trash, last trashed first. */
export async function selectTrashPage(db: Db, siteId: string, page: PageQuery): Promise<Listed> {
  const where = 'site_id = $1 AND trashed_at IS NOT NULL';
  return pageOf(db, where, [siteId], 'trashed_at DESC, id DESC', await count(db, where, [siteId]), page);
}
