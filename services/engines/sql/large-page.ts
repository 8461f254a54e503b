import type { Db, SqlValue } from '../../core/db.ts';
import { type Chunk, type LargePage, planPage, wholeListBytes } from '../../core/large-list.ts';
import type { PageQuery } from '../../core/reply.ts';
import { countRows } from './page.ts';

/** Bytes of a row in addition to the columns that `bytes` counts. */
const rowBytes = 512;

/** A list of rows that may be large. The parts are our own SQL, never text from a client. */
export interface LargeListSource {
  /** Column names, including those of `order` and `key`. */
  columns: string;
  table: string;
  /** The condition for belonging to the list, cheap for a single row; with `scopeParams` as `$1`, `$2`, … */
  scope: string;
  scopeParams: readonly SqlValue[];
  /**
   * Further conditions, beginning with `AND`, whose parameters follow; not evaluated again for rows that the page has
   * already selected.
   */
  filter?: string;
  filterParams?: readonly SqlValue[];
  /** Ends with the key. */
  order: string;
  /** Identifies a row within the scope. */
  key: { column: string; type: 'UUID' | 'TEXT' };
  /** The size in bytes of the columns that may be large. */
  bytes: string;
  /** The filter reads so much of each row that the first page evaluates it once, for the rows and for their number. */
  isFilterSlow?: boolean;
  /** An expression for the number of rows of all pages, if that is known without counting; with `scopeParams`. */
  total?: string;
  /** Maximum bytes needed to read a batch, if the largest member of a row is read in pieces. */
  maxBatchBytes?: number;
}

interface PlacedRow {
  list_key: string;
  list_bytes: number;
  /** Present only if the statement also reads the total. */
  list_total?: number;
}

/**
 * Selects the keys and sizes of one page in its order, and the columns of the rows that fit into `wholeListBytes`, null
 * for the others: one statement, so that a page of small rows needs no second one. The database reads large values only
 * for columns that are returned.
 */
function firstSql(
  { columns, table, scope, filter = '', isFilterSlow, order, key, bytes, total }: LargeListSource,
  n: number,
  withTotal: boolean,
): string {
  const isFilterApart = withTotal && isFilterSlow;
  const matched = `SELECT ${key.column} AS list_key FROM ${table} WHERE ${scope} ${filter}`;
  const start = isFilterApart ? `WITH matched AS MATERIALIZED (${matched}) ` : '';
  const rows = isFilterApart ? `AND ${key.column} IN (SELECT m.list_key FROM matched m)` : filter;
  const number = isFilterApart ? '(SELECT count(*)::INT8 FROM matched)' : total;
  const shown = columns
    .split(/,\s*/)
    .map((column) => `CASE WHEN list_upto <= $${n + 3}::INT8 THEN ${column} END AS ${column}`);
  const columnOfTotal = withTotal ? `, ${number} AS list_total` : '';
  return `${start}SELECT ${key.column} AS list_key, list_bytes${columnOfTotal}, ${shown.join(', ')} FROM (
    SELECT s.*, sum(list_bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS list_upto FROM (
      SELECT ${columns}, (${rowBytes} + ${bytes})::INT8 AS list_bytes FROM ${table}
      WHERE ${scope} ${rows} ORDER BY ${order} LIMIT $${n + 1} OFFSET $${n + 2}
    ) s
  ) p ORDER BY list_upto`;
}

async function readTotal(
  db: Db,
  { table, scope, scopeParams, filter = '', total }: LargeListSource,
  params: readonly SqlValue[],
): Promise<number> {
  if (total === undefined) return countRows(db, { from: table, where: `${scope} ${filter}` }, params);
  const [row] = await db.query<{ total: number }>(`SELECT ${total} AS total`, scopeParams);
  return row!.total;
}

/** Returns these rows in their order, without those that have left the list meanwhile. */
async function readRows<Row extends object>(
  db: Db,
  { columns, table, scope, scopeParams, key }: LargeListSource,
  keys: readonly string[],
): Promise<Row[]> {
  const rows = await db.query<Row & { list_key: string }>(
    `SELECT ${key.column} AS list_key, ${columns} FROM ${table}
     WHERE ${scope} AND ${key.column} = ANY($${scopeParams.length + 1}::${key.type}[])`,
    [...scopeParams, keys],
  );
  const byKey = new Map(rows.map((row) => [row.list_key, row]));
  return keys.map((name) => byKey.get(name)).filter((row) => row !== undefined);
}

/**
 * Selects one page of a list of rows that may be large: the first rows up to `wholeListBytes`, and a reader of the
 * others in batches. `db` must be the pool, because batches are read after the handler has ended. A page past the end
 * is empty.
 */
export async function selectLargePage<Row extends object>(
  db: Db,
  source: LargeListSource,
  { page, per_page }: PageQuery,
): Promise<LargePage<Row>> {
  const { scopeParams, filterParams = [], maxBatchBytes = Number.POSITIVE_INFINITY } = source;
  const params = [...scopeParams, ...filterParams];
  // further pages need the total first: a page past the end must not read the rows before it
  const withTotal = page === 1 && (source.total !== undefined || source.isFilterSlow === true);
  const counted = withTotal ? undefined : await readTotal(db, source, params);
  const offset = (page - 1) * per_page;
  if (counted !== undefined && offset >= counted) return { rows: [], rest: [], total: counted };
  const placed = await db.query<Row & PlacedRow>(firstSql(source, params.length, withTotal), [
    ...params,
    per_page,
    offset,
    wholeListBytes,
  ]);
  const total = counted ?? placed[0]?.list_total ?? 0;
  const { first, batches } = planPage(placed, ({ list_bytes }) => list_bytes);
  const rest = batches.map(({ rows, bytes }): Chunk<Row[]> => {
    const keys = rows.map(({ list_key }) => list_key);
    return { bytes: Math.min(bytes, maxBatchBytes), read: () => readRows<Row>(db, source, keys) };
  });
  return { rows: first, rest, total };
}
