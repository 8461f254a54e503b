import type { Db } from '../../../core/db.ts';
import type { PreparedBody } from '../body/prepare-body.ts';

/** A pending draft: changes to an item, kept apart from it until they are applied. */
export interface DraftRow {
  content_id: string;
  site_id: string;
  /** The item's revision when the draft was begun. */
  base_revision: number;
  /** The members to change, without the body. */
  members: Record<string, unknown>;
  /** Null if the draft does not change the body; empty if the body is in the object `body_hash`. */
  body_html: string | null;
  body_hash: string | null;
  body_text: string | null;
  /** Ids in the body that may name media items. */
  body_media: string[];
  warnings: PreparedBody['columns']['warnings'];
  changed_by: string;
  created_at: Date;
  updated_at: Date;
}

const columns =
  'content_id, site_id, base_revision, members, body_html, body_hash, body_text, body_media, warnings, changed_by, created_at, updated_at';

export async function selectDraft(db: Db, contentId: string): Promise<DraftRow | undefined> {
  const sql = `SELECT ${columns} FROM content_drafts WHERE content_id = $1`;
  return (await db.query<DraftRow>(sql, [contentId]))[0];
}

/** Returns whether an item has a draft. */
export async function hasDraft(db: Db, contentId: string): Promise<boolean> {
  return (await db.query('SELECT 1 FROM content_drafts WHERE content_id = $1', [contentId])).length > 0;
}

/** Inserts a draft, or replaces the members of the existing one, which keeps its base revision and `created_at`. */
export async function upsertDraft(db: Db, draft: Omit<DraftRow, 'created_at' | 'updated_at'>): Promise<DraftRow> {
  const rows = await db.query<DraftRow>(
    `INSERT INTO content_drafts (${columns})
     VALUES ($1, $2, $3, $4::JSONB, $5, $6, $7, $8::TEXT[], $9::JSONB, $10, clock_timestamp(), clock_timestamp())
     ON CONFLICT (content_id) DO UPDATE
       SET members = excluded.members, body_html = excluded.body_html, body_hash = excluded.body_hash,
         body_text = excluded.body_text, body_media = excluded.body_media, warnings = excluded.warnings, changed_by = excluded.changed_by,
         updated_at = clock_timestamp()
     RETURNING ${columns}`,
    [
      draft.content_id,
      draft.site_id,
      draft.base_revision,
      JSON.stringify(draft.members),
      draft.body_html,
      draft.body_hash,
      draft.body_text,
      draft.body_media,
      JSON.stringify(draft.warnings),
      draft.changed_by,
    ],
  );
  return rows[0]!;
}

/** Deletes a draft. Returns false if the item has no draft. */
export async function deleteDraft(db: Db, contentId: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM content_drafts WHERE content_id = $1 RETURNING content_id', [contentId]);
  return rows.length > 0;
}
