import type { Db, SqlValue } from '../../core/db.ts';

/**
 * Locks the row with this key until the caller's transaction has ended, if there is one: of several writers that read a row before they
 * change it, one reads at a time. Table and columns are ours, never a client's text.
 */
export async function lockRow(db: Db, table: string, key: Readonly<Record<string, SqlValue>>): Promise<void> {
  const columns = Object.keys(key);
  const where = columns.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
  await db.query(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${where} FOR UPDATE`, Object.values(key));
}
