export type SqlValue =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | undefined
  | readonly string[]
  | readonly number[]
  | object;

/**
 * Runs one statement and returns its rows. Both the pool and an open transaction are a `Db`; SQL functions take it as
 * their first argument.
 */
export interface Db {
  query<Row extends object = Record<string, unknown>>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

/** An open transaction. */
export interface Transaction extends Db {
  /**
   * Sends a statement whose rows nothing needs, together with the next one. Its error fails the transaction: the next
   * statement, or the commit, throws it.
   */
  queue(sql: string, params?: readonly SqlValue[]): void;
}
