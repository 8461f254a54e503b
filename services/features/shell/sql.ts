import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { selectPage } from '../../engines/sql/page.ts';

export interface ShellFileRow {
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
  updated_at: Date;
}

export interface SnapshotRow {
  id: string;
  files: number;
  created_at: Date;
}

const fileColumns = 'path, hash, bytes, content_type, updated_at';

export function selectShellFiles(db: Db, siteId: string, page: PageQuery) {
  const source = { columns: fileColumns, from: 'shell_files', where: 'site_id = $1', order: 'updated_at DESC, path' };
  return selectPage<ShellFileRow>(db, source, [siteId], page);
}

export async function selectShellFile(db: Db, siteId: string, path: string): Promise<ShellFileRow | undefined> {
  const rows = await db.query<ShellFileRow>(`SELECT ${fileColumns} FROM shell_files WHERE site_id = $1 AND path = $2`, [
    siteId,
    path,
  ]);
  return rows[0];
}

/** Returns those of the paths that the shell has. */
export async function selectPresentPaths(db: Db, siteId: string, paths: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ path: string }>(
    'SELECT path FROM shell_files WHERE site_id = $1 AND path = ANY($2::TEXT[])',
    [siteId, [...paths]],
  );
  return new Set(rows.map(({ path }) => path));
}

export async function upsertShellFile(
  db: Db,
  siteId: string,
  file: Omit<ShellFileRow, 'updated_at'>,
): Promise<ShellFileRow> {
  const rows = await db.query<ShellFileRow>(
    `INSERT INTO shell_files (site_id, path, hash, bytes, content_type) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (site_id, path) DO UPDATE
       SET hash = excluded.hash, bytes = excluded.bytes, content_type = excluded.content_type, updated_at = now()
     RETURNING ${fileColumns}`,
    [siteId, file.path, file.hash, file.bytes, file.content_type],
  );
  return rows[0]!;
}

export async function deleteShellFileRow(db: Db, siteId: string, path: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM shell_files WHERE site_id = $1 AND path = $2 RETURNING path', [
    siteId,
    path,
  ]);
  return rows.length > 0;
}

/** Takes a snapshot of the current shell as one manifest. It is fast for any size, because bytes are never copied. */
export async function insertSnapshot(db: Db, siteId: string): Promise<SnapshotRow> {
  const rows = await db.query<SnapshotRow>(
    `INSERT INTO shell_snapshots (site_id, files, manifest)
     SELECT $1::UUID, count(*), COALESCE(jsonb_object_agg(path, jsonb_build_object('hash', hash, 'bytes', bytes, 'content_type', content_type)), '{}'::JSONB)
     FROM shell_files WHERE site_id = $1::UUID
     RETURNING id, files, created_at`,
    [siteId],
  );
  return rows[0]!;
}

export function selectSnapshots(db: Db, siteId: string, page: PageQuery) {
  const source = {
    columns: 'id, files, created_at',
    from: 'shell_snapshots',
    where: 'site_id = $1',
    order: 'created_at DESC, id DESC',
  };
  return selectPage<SnapshotRow>(db, source, [siteId], page);
}

export async function snapshotExists(db: Db, siteId: string, rev: string): Promise<boolean> {
  const rows = await db.query('SELECT id FROM shell_snapshots WHERE site_id = $1 AND id = $2', [siteId, rev]);
  return rows.length > 0;
}

/** Replaces or removes files that differ from the snapshot; the others keep their `updated_at`. */
export async function restoreFiles(db: Db, siteId: string, rev: string): Promise<void> {
  await db.query(
    `DELETE FROM shell_files WHERE site_id = $1 AND path NOT IN (
       SELECT m.key FROM shell_snapshots s, jsonb_each(s.manifest) AS m (key, value) WHERE s.id = $2 AND s.site_id = $1)`,
    [siteId, rev],
  );
  await db.query(
    `INSERT INTO shell_files (site_id, path, hash, bytes, content_type)
     SELECT s.site_id, m.key, m.value->>'hash', (m.value->>'bytes')::INT8, m.value->>'content_type'
     FROM shell_snapshots s, jsonb_each(s.manifest) AS m (key, value) WHERE s.id = $2 AND s.site_id = $1
     ON CONFLICT (site_id, path) DO UPDATE
       SET hash = excluded.hash, bytes = excluded.bytes, content_type = excluded.content_type, updated_at = now()
       WHERE shell_files.hash <> excluded.hash`,
    [siteId, rev],
  );
}
