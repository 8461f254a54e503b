import type { Db, SqlValue } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';

/** The rows of a list and their order. The parts are our own SQL, never text from a client. */
export interface ListSource {
  columns: string;
  /** A table, or a join. */
  from: string;
  /** With the list's parameters as `$1`, `$2`, … */
  where: string;
  order: string;
}

export interface Page<Row> {
  rows: Row[];
  /** Number of rows of all pages. */
  total: number;
}

/** Counts the rows of all pages. */
export async function countRows(
  db: Db,
  { from, where }: Pick<ListSource, 'from' | 'where'>,
  params: readonly SqlValue[],
): Promise<number> {
  const [row] = await db.query<{ total: number }>(`SELECT count(*) AS total FROM ${from} WHERE ${where}`, params);
  return row!.total;
}

/** Selects one page of a list; pass `knownTotal` to avoid counting. A page past the end is empty. */
export async function selectPage<Row extends object>(
  db: Db,
  source: ListSource,
  params: readonly SqlValue[],
  { page, per_page }: PageQuery,
  knownTotal?: number,
): Promise<Page<Row>> {
  const total = knownTotal ?? (await countRows(db, source, params));
  const offset = (page - 1) * per_page;
  if (offset >= total) return { rows: [], total };
  const { columns, from, where, order } = source;
  const n = params.length;
  const rows = await db.query<Row>(
    `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT $${n + 1} OFFSET $${n + 2}`,
    [...params, per_page, offset],
  );
  return { rows, total };
}
