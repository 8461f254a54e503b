import type { Db, SqlValue } from '../../core/db.ts';
import { type Chunk, type LargePage, planPage, wholeListBytes } from '../../core/large-list.ts';
import type { PageQuery } from '../../core/reply.ts';
import { countRows } from './page.ts';

/** What a row takes beside the columns that `bytes` counts. */
const rowBytes = 512;

/** A list of rows that may be large. The parts are SQL of ours, never a client's text. */
export interface LargeListSource {
  /** Names of columns, those of `order` and `key` among them. */
  columns: string;
  table: string;
  /** What makes a row one of the list, cheap to ask about one row; with `scopeParams` as `$1`, `$2`, … */
  scope: string;
  scopeParams: readonly SqlValue[];
  /** Further conditions, beginning with `AND`, whose parameters follow; not asked again about a row that the page has already. */
  filter?: string;
  filterParams?: readonly SqlValue[];
  /** The key last. */
  order: string;
  /** Names a row within the scope. */
  key: { column: string; type: 'UUID' | 'TEXT' };
  /** The bytes of the columns that may be large. */
  bytes: string;
  /** The most that reading a batch takes, where the largest member of a row is read in pieces. */
  maxBatchBytes?: number;
}

interface PlacedRow {
  list_key: string;
  list_bytes: number;
}

/**
 * The keys and sizes of one page in its order, and the columns of the rows as far as they fit into `wholeListBytes`, null beyond:
 * one statement, so that a page of small rows costs no second one. Large values that are not shown stay where they lie: a value is
 * fetched when it is put out.
 */
function firstSql({ columns, table, scope, filter = '', order, key, bytes }: LargeListSource, n: number): string {
  const shown = columns
    .split(/,\s*/)
    .map((column) => `CASE WHEN list_upto <= $${n + 3}::INT8 THEN ${column} END AS ${column}`);
  return `SELECT ${key.column} AS list_key, list_bytes, ${shown.join(', ')} FROM (
    SELECT s.*, sum(list_bytes) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS list_upto FROM (
      SELECT ${columns}, (${rowBytes} + ${bytes})::INT8 AS list_bytes FROM ${table}
      WHERE ${scope} ${filter} ORDER BY ${order} LIMIT $${n + 1} OFFSET $${n + 2}
    ) s
  ) p ORDER BY list_upto`;
}

/** These rows in their order; a row that has left the list meanwhile is left out. */
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
 * One page of a list of rows that may be large: the first rows up to `wholeListBytes`, and how to read the others in batches. `db`
 * must be the pool: batches are read after the handler has ended. A page past the end is empty.
 */
export async function selectLargePage<Row extends object>(
  db: Db,
  source: LargeListSource,
  { page, per_page }: PageQuery,
  knownTotal?: number,
): Promise<LargePage<Row>> {
  const {
    table,
    scope,
    filter = '',
    scopeParams,
    filterParams = [],
    maxBatchBytes = Number.POSITIVE_INFINITY,
  } = source;
  const params = [...scopeParams, ...filterParams];
  const total = knownTotal ?? (await countRows(db, { from: table, where: `${scope} ${filter}` }, params));
  const offset = (page - 1) * per_page;
  if (offset >= total) return { rows: [], rest: [], total };
  const placed = await db.query<Row & PlacedRow>(firstSql(source, params.length), [
    ...params,
    per_page,
    offset,
    wholeListBytes,
  ]);
  const { first, batches } = planPage(placed, ({ list_bytes }) => list_bytes);
  const rest = batches.map(({ rows, bytes }): Chunk<Row[]> => {
    const keys = rows.map(({ list_key }) => list_key);
    return { bytes: Math.min(bytes, maxBatchBytes), read: () => readRows<Row>(db, source, keys) };
  });
  return { rows: first, rest, total };
}
