import { longNames } from '../../core/content-model.ts';
import type { Db, SqlValue } from '../../core/db.ts';
import { batchBytes, type LargePage, wholeListBytes } from '../../core/large-list.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';
import { allColumns, type BodilessRow, bodilessColumns, type ContentRow } from './row.ts';
import type { ContentListQuery } from './schema.ts';

/** Returns the conditions and their parameters from `$2` on; `$1` is the site. */
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
  for (const { name, value, types } of query.filters ?? []) {
    add(types, (p) => `type = ANY(${p}::TEXT[])`);
    params.push(name, value);
    conditions.push(
      `id IN (SELECT v.content_id FROM content_field_values v
        WHERE v.site_id = $1 AND v.name = $${params.length}::TEXT AND v.value = $${params.length + 1}::TEXT)`,
    );
  }
  // not ILIKE, which compares all of `q` at every character: a long `q` took 25 s on 4 MB
  if (query.q)
    add(query.q, (p) => {
      const has = (folded: string) => `strpos(${folded}, lower(${p}::TEXT)) > 0`;
      return `(${has('lower(title)')} OR ${has('lower(excerpt)')} OR id IN (
        SELECT t.content_id FROM content_texts t WHERE t.site_id = $1 AND ${has('t.folded')}))`;
    });
  return { sql: conditions.map((condition) => ` AND ${condition}`).join(''), params };
}

const smallBytes = longNames.map((column) => `COALESCE(octet_length(${column}::TEXT), 0)`).join(' + ');
/** A body in the object store never counts as small: it is read later, in pieces, not with the first rows of a page. */
const bodyBytes = `CASE WHEN body_hash IS NULL THEN octet_length(body_html) ELSE ${wholeListBytes} END`;

function sourceOf(siteId: string, withBody: boolean, trashed: boolean): LargeListSource {
  return {
    columns: withBody ? allColumns : bodilessColumns,
    table: 'content',
    scope: `site_id = $1 AND trashed_at IS ${trashed ? 'NOT NULL' : 'NULL'}`,
    scopeParams: [siteId],
    order: `${trashed ? 'trashed_at' : 'created_at'} DESC, id DESC`,
    key: { column: 'id', type: 'UUID' },
    bytes: withBody ? `${smallBytes} + ${bodyBytes}` : smallBytes,
    maxBatchBytes: batchBytes,
  };
}

/** Rows of a page; without bodies if the request does not show them. */
export type ListedRow = BodilessRow & Partial<Pick<ContentRow, 'body_html' | 'body_hash'>>;

/**
 * Selects a page of the items outside the trash, newest first, with the exact total. Without filters the total is a sum
 * of counters, read by the same statement, so that the first page costs the same at 1,000 and at 100,000 items.
 */
export async function selectContentPage(
  db: Db,
  siteId: string,
  query: ContentListQuery,
  withBody = true,
): Promise<LargePage<ListedRow>> {
  const { sql, params } = filtersOf(query);
  const source = sourceOf(siteId, withBody, false);
  const isFilterSlow = query.q !== undefined;
  if (params.length > 0)
    return selectLargePage(db, { ...source, filter: sql, filterParams: params, isFilterSlow }, query);
  const total = '(SELECT COALESCE(sum(active), 0)::INT8 FROM content_counts WHERE site_id = $1)';
  return selectLargePage(db, { ...source, total }, query);
}

/** Selects a page of the trash, most recently trashed first. */
export function selectTrashPage(
  db: Db,
  siteId: string,
  page: PageQuery,
  withBody = true,
): Promise<LargePage<ListedRow>> {
  return selectLargePage(db, sourceOf(siteId, withBody, true), page);
}
