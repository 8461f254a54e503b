import type { Db } from '../../../core/db.ts';
import type { StoredThemeFile } from './store.ts';

/** Selects the hash of every file of a shell, by path. */
export async function selectHashes(db: Db, siteId: string): Promise<Map<string, string>> {
  const rows = await db.query<{ path: string; hash: string }>('SELECT path, hash FROM shell_files WHERE site_id = $1', [
    siteId,
  ]);
  return new Map(rows.map(({ path, hash }) => [path, hash]));
}

export async function deletePaths(db: Db, siteId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await db.query('DELETE FROM shell_files WHERE site_id = $1 AND path = ANY($2::TEXT[])', [siteId, [...paths]]);
}

export async function upsertShellFiles(db: Db, siteId: string, files: readonly StoredThemeFile[]): Promise<void> {
  if (files.length === 0) return;
  await db.query(
    `INSERT INTO shell_files (site_id, path, hash, bytes, content_type)
     SELECT $1::UUID, u.path, u.hash, u.bytes, u.content_type
     FROM unnest($2::TEXT[], $3::TEXT[], $4::INT8[], $5::TEXT[]) AS u (path, hash, bytes, content_type)
     ON CONFLICT (site_id, path) DO UPDATE
       SET hash = excluded.hash, bytes = excluded.bytes, content_type = excluded.content_type, updated_at = now()`,
    [
      siteId,
      files.map(({ path }) => path),
      files.map(({ hash }) => hash),
      files.map(({ bytes }) => bytes),
      files.map(({ content_type }) => content_type),
    ],
  );
}
