import type { Db } from '../../../core/db.ts';

export interface FileState {
  hash: string;
  bytes: number;
}

/** Selects the files of a snapshot by path; null when the site has no such snapshot. */
export async function selectSnapshotFiles(db: Db, siteId: string, rev: string): Promise<Map<string, FileState> | null> {
  const [row] = await db.query<{ manifest: Record<string, FileState> }>(
    'SELECT manifest FROM shell_snapshots WHERE site_id = $1 AND id = $2',
    [siteId, rev],
  );
  return row ? new Map(Object.entries(row.manifest)) : null;
}

/** Selects the files of the current shell by path. */
export async function selectPresentFiles(db: Db, siteId: string): Promise<Map<string, FileState>> {
  const rows = await db.query<FileState & { path: string }>(
    'SELECT path, hash, bytes FROM shell_files WHERE site_id = $1',
    [siteId],
  );
  return new Map(rows.map(({ path, hash, bytes }) => [path, { hash, bytes }]));
}
