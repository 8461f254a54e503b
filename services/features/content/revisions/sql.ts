import type { Db } from '../../../core/db.ts';
import type { PageQuery } from '../../../core/reply.ts';
import { type Page, selectPage } from '../../../engines/sql/page.ts';

/** A revision without the stored item. */
export interface RevisionRow {
  revision: number;
  changed_by: string;
  created_at: Date;
}

/** A revision with the stored item. */
export interface WholeRevisionRow extends RevisionRow {
  record: Record<string, unknown>;
  body_html: string;
  body_hash: string | null;
}

const columns = 'revision, changed_by, created_at';

/** Returns one page of an item's revisions, newest first. */
export function selectRevisions(db: Db, contentId: string, page: PageQuery): Promise<Page<RevisionRow>> {
  const source = { columns, from: 'content_revisions', where: 'content_id = $1', order: 'revision DESC' };
  return selectPage<RevisionRow>(db, source, [contentId], page);
}

export async function selectRevision(
  db: Db,
  contentId: string,
  revision: number,
): Promise<WholeRevisionRow | undefined> {
  const sql = `SELECT ${columns}, record, body_html, body_hash FROM content_revisions WHERE content_id = $1 AND revision = $2`;
  return (await db.query<WholeRevisionRow>(sql, [contentId, revision]))[0];
}

/** The name of a key, user or integration, and the e-mail of the user. */
export interface Named {
  id: string;
  /** Null for a user without one. */
  name: string | null;
  email: string | null;
}

export function selectKeyNames(db: Db, ids: readonly string[]): Promise<Named[]> {
  return db.query<Named>(
    'SELECT k.id, k.name, u.email FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = ANY($1::TEXT[])',
    [ids],
  );
}

export function selectUserNames(db: Db, ids: readonly string[]): Promise<Named[]> {
  return db.query<Named>('SELECT id::TEXT AS id, name, email FROM users WHERE id::TEXT = ANY($1::TEXT[])', [ids]);
}

export function selectAgentNames(db: Db, ids: readonly string[]): Promise<Named[]> {
  return db.query<Named>(
    `SELECT g.id::TEXT AS id, g.client_name AS name, u.email FROM agent_grants g JOIN users u ON u.id = g.user_id
     WHERE g.id::TEXT = ANY($1::TEXT[])`,
    [ids],
  );
}

export function selectIntegrationNames(db: Db, ids: readonly string[]): Promise<Named[]> {
  return db.query<Named>(
    'SELECT id::TEXT AS id, name, NULL::TEXT AS email FROM integrations WHERE id::TEXT = ANY($1::TEXT[])',
    [ids],
  );
}
