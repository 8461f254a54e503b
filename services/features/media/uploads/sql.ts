import type { Db } from '../../../core/db.ts';

/** One received piece of an upload. */
export interface Part {
  hash: string;
  bytes: number;
}

export interface UploadRow {
  id: string;
  site_id: string;
  site_slug: string;
  length: number;
  received: number;
  parts: Part[];
  metadata: Record<string, string | null>;
  media_id: string | null;
  /** The user who started the upload. */
  created_by: string | null;
  created_at: Date;
}

export async function insertUpload(
  db: Db,
  upload: Pick<UploadRow, 'id' | 'site_id' | 'length' | 'metadata' | 'created_by'>,
): Promise<void> {
  await db.query(
    `INSERT INTO uploads (id, site_id, length, parts, metadata, created_by) VALUES ($1, $2, $3, '[]'::JSONB, $4::JSONB, $5)`,
    [upload.id, upload.site_id, upload.length, JSON.stringify(upload.metadata), upload.created_by],
  );
}

export async function selectUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  const rows = await db.query<UploadRow>(
    `SELECT u.id, u.site_id, s.slug AS site_slug, u.length, u.received, u.parts, u.metadata, u.media_id, u.created_by, u.created_at
     FROM uploads u JOIN sites s ON s.id = u.site_id WHERE u.id = $1`,
    [id],
  );
  return rows[0];
}

/** Replaces the parts, which then end at `end`; returns false when another request has written at `offset` first. */
export async function replaceParts(
  db: Db,
  id: string,
  offset: number,
  end: number,
  parts: readonly Part[],
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE uploads SET received = $3::INT8, parts = $4::JSONB, updated_at = now()
     WHERE id = $1 AND received = $2 RETURNING id`,
    [id, offset, end, JSON.stringify(parts)],
  );
  return rows.length > 0;
}

/**
 * Marks an upload as complete, with its item in the library; its parts are no longer needed. Returns false when another
 * request was first.
 */
export async function completeUpload(db: Db, id: string, offset: number, mediaId: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE uploads SET received = length, parts = '[]'::JSONB, media_id = $3, updated_at = now()
     WHERE id = $1 AND received = $2 RETURNING id`,
    [id, offset, mediaId],
  );
  return rows.length > 0;
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.query('DELETE FROM uploads WHERE id = $1', [id]);
}

/** Deletes uploads `keptMs` after they were started. */
export async function deleteExpiredUploads(db: Db, keptMs: number): Promise<void> {
  await db.query(`DELETE FROM uploads WHERE created_at < now() - $1::INT8 * INTERVAL '1 millisecond'`, [keptMs]);
}
