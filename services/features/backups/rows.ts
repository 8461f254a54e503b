import type { Db, SqlValue } from '../../core/db.ts';
import { findHashes } from '../collection/service.ts';
import type { BackupTable } from './backup-table.ts';
import { backupTables, findTable } from './tables.ts';

type RowValue = string | number | boolean | string[] | null;
export type Row = Record<string, RowValue>;
/** A row and the table that it belongs to: one line of a backup. */
export type Line = [table: string, row: Row];

interface LivePins {
  ids: readonly string[];
  revisions: readonly number[];
}

const pageRows = 200;
const batchRows = 50;

function selectExpression([column, kind]: [string, string]): string {
  return kind === 'plain' ? column : `${column}::TEXT AS ${column}`;
}

/** The rows of one table that its condition names, in the order of their keys. */
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

/** Every row of a site, table by table; the same rows give the same lines. Call it in one transaction. */
export async function* readRows(tx: Db, siteId: string, pins: LivePins): AsyncGenerator<Line> {
  for (const table of backupTables) {
    const params = table.where.includes('$2') ? [siteId, pins.ids, pins.revisions] : [siteId];
    for await (const rows of readTable(tx, table, params)) {
      for (const row of rows) yield [table.name, row];
    }
  }
}

function insertStatement(table: BackupTable, count: number): string {
  const columns = Object.entries(table.columns);
  const values = Array.from({ length: count }, (_, row) =>
    columns.map(([, kind], n) => `$${row * columns.length + n + 1}${kind === 'plain' ? '' : `::${kind}`}`).join(', '),
  );
  return `INSERT INTO ${table.name} (${columns.map(([name]) => name).join(', ')}) VALUES ${values.map((list) => `(${list})`).join(', ')}`;
}

/** Writes rows of one table. */
export async function insertRows(tx: Db, tableName: string, rows: readonly Row[]): Promise<void> {
  const table = findTable(tableName);
  const names = Object.keys(table.columns);
  for (let start = 0; start < rows.length; ) {
    const count = rows.length - start >= batchRows ? batchRows : 1; // two statements a table, whatever there is to write
    const values = rows.slice(start, start + count).flatMap((row) => names.map((name) => row[name] ?? null));
    await tx.query(insertStatement(table, count), values);
    start += count;
  }
}

/** The objects that a row names. */
export function hashesOfLine([table, row]: Line): string[] {
  return findTable(table).hashes.flatMap((column) => {
    const value = row[column];
    return typeof value === 'string' ? findHashes(value) : [];
  });
}

/** The lines of a backup's document. */
export function parseLines(text: string): Line[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** The rows of one table among lines. */
export function rowsOf(lines: readonly Line[], table: string): Row[] {
  return lines.filter(([name]) => name === table).map(([, row]) => row);
}
