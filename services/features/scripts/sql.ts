import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';

export interface ScriptRow {
  id: string;
  name: string;
  position: 'head' | 'body_end';
  src: string | null;
  code: string | null;
  created_at: Date;
}

export type ScriptMembers = Omit<ScriptRow, 'id' | 'created_at'>;

const columns = 'id, name, position, src, code, created_at';

export function selectScripts(db: Db, siteId: string, page: PageQuery) {
  const source: LargeListSource = {
    columns,
    table: 'scripts',
    scope: 'site_id = $1',
    scopeParams: [siteId],
    order: 'created_at DESC, id DESC',
    key: { column: 'id', type: 'UUID' },
    bytes: 'COALESCE(octet_length(code), 0) + COALESCE(octet_length(src), 0)',
  };
  return selectLargePage<ScriptRow>(db, source, page);
}

export async function selectScript(db: Db, siteId: string, id: string): Promise<ScriptRow | undefined> {
  const rows = await db.query<ScriptRow>(`SELECT ${columns} FROM scripts WHERE site_id = $1 AND id = $2`, [siteId, id]);
  return rows[0];
}

export async function insertScript(db: Db, siteId: string, script: ScriptMembers): Promise<ScriptRow> {
  const rows = await db.query<ScriptRow>(
    `INSERT INTO scripts (site_id, name, position, src, code) VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    [siteId, script.name, script.position, script.src, script.code],
  );
  return rows[0]!;
}

export async function updateScriptRow(
  db: Db,
  siteId: string,
  id: string,
  script: ScriptMembers,
): Promise<ScriptRow | undefined> {
  const rows = await db.query<ScriptRow>(
    `UPDATE scripts SET name = $3, position = $4, src = $5, code = $6 WHERE site_id = $1 AND id = $2 RETURNING ${columns}`,
    [siteId, id, script.name, script.position, script.src, script.code],
  );
  return rows[0];
}

export async function deleteScriptRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM scripts WHERE site_id = $1 AND id = $2 RETURNING id', [siteId, id]);
  return rows.length > 0;
}
