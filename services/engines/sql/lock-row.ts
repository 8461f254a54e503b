import type { Db, SqlValue } from '../../core/db.ts';

/**
 * Locks the row with this key, if it exists, until the caller's transaction ends, so that writers that read a row
 * before they change it run one at a time. Table and column names are inserted unquoted: never pass a client's text.
 */
export async function lockRow(db: Db, table: string, key: Readonly<Record<string, SqlValue>>): Promise<void> {
  const columns = Object.keys(key);
  const where = columns.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
  await db.query(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${where} FOR UPDATE`, Object.values(key));
}
