import type { Db, SqlValue } from '../../core/db.ts';
import { findHashes } from '../collection/index.ts';
import type { BackupTable, ColumnKind } from './backup-table.ts';
import type { Line, Row } from './lines.ts';
import { backupTables, findTable } from './tables.ts';

interface LivePins {
  ids: readonly string[];
  revisions: readonly number[];
}

const pageRows = 200;
const batchRows = 50;

function selectExpression([column, kind]: [string, string]): string {
  return kind === 'plain' ? column : `${column}::TEXT AS ${column}`;
}

/** Yields the rows of one table that match its condition, ordered by key. */
export async function* readTable(tx: Db, table: BackupTable, params: readonly SqlValue[]): AsyncGenerator<Row[]> {
  const keys = table.keys.join(', ');
  const first = params.length + 1;
  const after = `(${keys}) > (${table.keys.map((_, n) => `$${first + n}`).join(', ')})`;
  const columns = Object.entries(table.columns).map(selectExpression).join(', ');
  let last: SqlValue[] = [];
  for (;;) {
    const rows: Row[] = await tx.query<Row>(
      `SELECT ${columns} FROM ${table.name} WHERE ${table.where}${last.length > 0 ? ` AND ${after}` : ''} ORDER BY ${keys} LIMIT ${pageRows}`,
      [...params, ...last],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    last = table.keys.map((key) => rows.at(-1)![key]);
  }
}

/** Yields every row of a site, table by table; the same rows give the same lines. Call it in one transaction. */
export async function* readRows(tx: Db, siteId: string, pins: LivePins): AsyncGenerator<Line> {
  for (const table of backupTables) {
    const params = table.where.includes('$2') ? [siteId, pins.ids, pins.revisions] : [siteId];
    for await (const rows of readTable(tx, table, params)) {
      for (const row of rows) yield [table.name, row];
    }
  }
}

function insertStatement(table: BackupTable, columns: readonly [string, ColumnKind][], count: number): string {
  const values = Array.from({ length: count }, (_, row) =>
    columns.map(([, kind], n) => `$${row * columns.length + n + 1}${kind === 'plain' ? '' : `::${kind}`}`).join(', '),
  );
  return `INSERT INTO ${table.name} (${columns.map(([name]) => name).join(', ')}) VALUES ${values.map((list) => `(${list})`).join(', ')}`;
}

/** Inserts rows of one table. Columns that a backup of an earlier version lacks get their defaults. */
export async function insertRows(tx: Db, tableName: string, rows: readonly Row[]): Promise<void> {
  const table = findTable(tableName);
  const columns = Object.entries(table.columns).filter(([name]) => rows[0] && name in rows[0]);
  for (let start = 0; start < rows.length; ) {
    // only two different statements per table, whatever the number of rows
    const count = rows.length - start >= batchRows ? batchRows : 1;
    const values = rows.slice(start, start + count).flatMap((row) => columns.map(([name]) => row[name] ?? null));
    await tx.query(insertStatement(table, columns, count), values);
    start += count;
  }
}

/** Returns the hashes of the objects that a row refers to. */
export function hashesOfLine([table, row]: Line): string[] {
  return findTable(table).hashes.flatMap((column) => {
    const value = row[column];
    return typeof value === 'string' ? findHashes(value) : [];
  });
}
