import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { selectPage } from '../../engines/sql/page.ts';

export interface RedirectRow {
  id: string;
  from_path: string;
  to_url: string;
  status: number;
  created_at: Date;
}

export type RedirectRule = Pick<RedirectRow, 'from_path' | 'to_url' | 'status'>;

const columns = 'id, from_path, to_url, status, created_at';

/** Selects a page of the redirects, newest first. `q`: only those whose path or target contains it, case-insensitive. */
export function selectRedirects(db: Db, siteId: string, { q = '', ...page }: PageQuery & { q?: string | undefined }) {
  const has = (column: string) => `strpos(lower(${column}), lower($2::TEXT)) > 0`;
  const where = q === '' ? 'site_id = $1' : `site_id = $1 AND (${has('from_path')} OR ${has('to_url')})`;
  const source = { columns, from: 'redirects', where, order: 'created_at DESC, id DESC' };
  return selectPage<RedirectRow>(db, source, q === '' ? [siteId] : [siteId, q], page);
}

export function selectAllRedirects(db: Db, siteId: string): Promise<RedirectRow[]> {
  return db.query<RedirectRow>(`SELECT ${columns} FROM redirects WHERE site_id = $1`, [siteId]);
}

export async function selectRedirect(db: Db, siteId: string, id: string): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>(`SELECT ${columns} FROM redirects WHERE site_id = $1 AND id = $2`, [
    siteId,
    id,
  ]);
  return rows[0];
}

/** Returns the redirect that is stored under one of these spellings of a path. */
export async function selectRedirectFrom(
  db: Db,
  siteId: string,
  spellings: string[],
): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>(
    `SELECT ${columns} FROM redirects WHERE site_id = $1 AND from_path = ANY($2::TEXT[]) LIMIT 1`,
    [siteId, spellings],
  );
  return rows[0];
}

/** Inserts a redirect; returns undefined when the path is in use. */
export async function insertRedirect(db: Db, siteId: string, rule: RedirectRule): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>(
    `INSERT INTO redirects (site_id, from_path, to_url, status) VALUES ($1, $2, $3, $4)
     ON CONFLICT (site_id, from_path) DO NOTHING RETURNING ${columns}`,
    [siteId, rule.from_path, rule.to_url, rule.status],
  );
  return rows[0];
}

export async function updateRedirectRow(
  db: Db,
  siteId: string,
  id: string,
  rule: RedirectRule,
): Promise<RedirectRow | undefined> {
  const rows = await db.query<RedirectRow>(
    `UPDATE redirects SET from_path = $3, to_url = $4, status = $5 WHERE site_id = $1 AND id = $2 RETURNING ${columns}`,
    [siteId, id, rule.from_path, rule.to_url, rule.status],
  );
  return rows[0];
}

export async function deleteRedirectRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM redirects WHERE site_id = $1 AND id = $2 RETURNING id', [siteId, id]);
  return rows.length > 0;
}
