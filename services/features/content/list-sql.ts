import type { Db, SqlValue } from '../../core/db.ts';
import type { PageQuery } from '../../core/http.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import { allColumns, type ContentRow } from './row.ts';
import type { ContentListQuery } from './schema.ts';

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

const listOf = (where: string, order: string) => ({ columns: allColumns, from: 'content', where, order });

/**
 * One page of the items outside the trash, newest first, with the true total. Without filters the total is a sum of
 * counters, so that the first page costs the same at 1,000 and at 100,000 items.
 */
export async function selectContentPage(db: Db, siteId: string, query: ContentListQuery): Promise<Page<ContentRow>> {
  const filters = filtersOf(query);
  const source = listOf(`site_id = $1 AND trashed_at IS NULL${filters.sql}`, 'created_at DESC, id DESC');
  if (filters.params.length > 0) return selectPage(db, source, [siteId, ...filters.params], query);
  const [sum] = await db.query<{ total: number }>(
    'SELECT COALESCE(sum(active), 0)::INT8 AS total FROM content_counts WHERE site_id = $1',
    [siteId],
  );
  return selectPage(db, source, [siteId], query, sum!.total);
}

/** One page of the trash, last trashed first. */
export function selectTrashPage(db: Db, siteId: string, page: PageQuery): Promise<Page<ContentRow>> {
  return selectPage(db, listOf('site_id = $1 AND trashed_at IS NOT NULL', 'trashed_at DESC, id DESC'), [siteId], page);
}
