/**
 * How a column is serialized: as the value that the driver returns, or as the database's own text (exact for timestamps
 * with microseconds and for JSON numbers of any size), with the type that the text is cast to.
 */
export type ColumnKind = 'plain' | 'TIMESTAMPTZ' | 'JSONB';

export interface BackupTable {
  name: string;
  columns: Record<string, ColumnKind>;
  /** Its primary key. */
  keys: readonly string[];
  /** The condition for rows of the site `$1`; `$2` and `$3` are the ids and revisions that the live release shows. */
  where: string;
  /** Columns that contain hashes of objects. */
  hashes: readonly string[];
}

const columnsOf =
  (kind: ColumnKind) =>
  (...names: string[]): Record<string, ColumnKind> =>
    Object.fromEntries(names.map((name) => [name, kind]));

export const plain = columnsOf('plain');
export const time = columnsOf('TIMESTAMPTZ');
export const json = columnsOf('JSONB');
