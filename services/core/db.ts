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
