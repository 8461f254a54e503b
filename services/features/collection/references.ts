import type { Db, SqlValue } from '../../core/db.ts';

/** A table that contains hashes of objects. A test compares this list with the schema. */
interface ReferenceSource {
  table: string;
  /** Its primary key, for reading it page by page. */
  keys: readonly string[];
  /** Columns in which every SHA-256 in hex counts as a reference; JSON columns too. */
  columns: readonly string[];
  /** Excludes rows without hashes. */
  where?: string;
}

/**
 * Every column that refers to objects (design: idea 3). An unnecessary entry is harmless, a missing one is not.
 * Documents of releases refer to further objects: see `mark.ts`.
 */
export const referenceSources: readonly ReferenceSource[] = [
  { table: 'shell_files', keys: ['site_id', 'path'], columns: ['hash'] },
  { table: 'shell_snapshots', keys: ['id'], columns: ['manifest'] },
  { table: 'components', keys: ['site_id', 'handle'], columns: ['source_hash', 'compiled_hash', 'sha256', 'meta'] },
  { table: 'content', keys: ['id'], columns: ['body_hash'], where: 'body_hash IS NOT NULL' },
  {
    table: 'content_revisions',
    keys: ['content_id', 'revision'],
    columns: ['body_hash'],
    where: 'body_hash IS NOT NULL',
  },
  {
    table: 'purged_revisions',
    keys: ['content_id', 'revision', 'site_id'],
    columns: ['body_hash'],
    where: 'body_hash IS NOT NULL',
  },
  { table: 'content_drafts', keys: ['content_id'], columns: ['body_hash'], where: 'body_hash IS NOT NULL' },
  { table: 'media', keys: ['id'], columns: ['sha256', 'variants', 'progress', 'previous'] },
  { table: 'uploads', keys: ['id'], columns: ['parts'] },
  { table: 'releases', keys: ['id'], columns: ['manifest_hash', 'inputs_hash', 'trace_hash'] },
  {
    table: 'build_attempts',
    keys: ['token'],
    columns: ['kept_manifest_hash', 'kept_trace_hash'],
    where: 'kept_manifest_hash IS NOT NULL',
  },
  {
    table: 'build_shards',
    keys: ['division', 'number'],
    columns: ['inputs_hash', 'manifest_hash', 'trace_hash'],
  },
  { table: 'site_assets', keys: ['site_id', 'path'], columns: ['hash'] },
  { table: 'deliveries', keys: ['id'], columns: ['body_hash', 'mapped', 'result'] },
  {
    table: 'idempotency_keys',
    keys: ['api_key_id', 'method', 'path', 'idempotency_key'],
    columns: ['reply_hash'],
    where: 'reply_hash IS NOT NULL',
  },
];

const pageRows = 2000;

/** Returns every SHA-256 in hex in a text. */
export function findHashes(text: string): string[] {
  return text.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? [];
}

/** Yields the hashes in a table, page by page. */
export async function* readReferences(db: Db, source: ReferenceSource): AsyncGenerator<string[]> {
  const { table, keys, columns, where = 'true' } = source;
  const keyList = keys.join(', ');
  const text = `concat_ws(' ', ${columns.map((column) => `${column}::TEXT`).join(', ')}) AS words`;
  const after = `(${keyList}) > (${keys.map((_, n) => `$${n + 1}`).join(', ')})`;
  let last: SqlValue[] | null = null;
  for (;;) {
    const rows: ({ words: string } & Record<string, SqlValue>)[] = await db.query(
      `SELECT ${keyList}, ${text} FROM ${table} WHERE ${where}${last ? ` AND ${after}` : ''} ORDER BY ${keyList} LIMIT ${pageRows}`,
      last ?? [],
    );
    if (rows.length > 0) yield rows.flatMap((row) => findHashes(row.words));
    if (rows.length < pageRows) return;
    last = keys.map((key) => rows.at(-1)![key]);
  }
}
