import type { Db } from '../../core/db.ts';
import type { Database } from '../../engines/sql/database.ts';
import { requestAsPublished } from './request.ts';

/** While some variants are still being made, a site is built again for finished ones at most this often. */
const refreshEveryMs = 30_000;

interface AwaitingRow {
  release: string;
  age_ms: number;
  open: string[];
  finished: number;
}

/** Selects the live release if it lacks variants of media that it shows. */
async function selectAwaiting(db: Db, siteId: string): Promise<AwaitingRow | undefined> {
  const [release] = await db.query<{ release: string; age_ms: number; awaited_media: string[] }>(
    `SELECT r.id AS release, r.awaited_media, (EXTRACT(EPOCH FROM now() - r.created_at) * 1000)::FLOAT8 AS age_ms
     FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1 AND r.awaited_media IS NOT NULL`,
    [siteId],
  );
  if (!release) return undefined;
  const open = await db.query<{ id: string }>(
    `SELECT id FROM media WHERE id = ANY($1::UUID[]) AND status = 'processing'`,
    [release.awaited_media],
  );
  return { ...release, open: open.map(({ id }) => id), finished: release.awaited_media.length - open.length };
}

/**
 * Queues a publish that changes only media: the site as last published, with the variants made since. It is queued once
 * per set of finished variants, so that a failing build is not requested repeatedly. It completes an earlier publish,
 * so no user has to request it. Returns the milliseconds until the next check; null: when woken.
 */
export async function planMediaRefresh(db: Database, siteId: string): Promise<number | null> {
  const awaiting = await selectAwaiting(db, siteId);
  if (!awaiting || awaiting.finished === 0) return null;
  const waitMs = awaiting.open.length > 0 ? Math.ceil(refreshEveryMs - awaiting.age_ms) : 0;
  if (waitMs > 0) return waitMs;
  await db.transaction(async (tx) => {
    const rows = await tx.query(
      `UPDATE releases SET awaited_media = $3::UUID[] WHERE id = $1
         AND id = (SELECT s.live_release FROM sites s WHERE s.id = $2) AND awaited_media IS NOT NULL RETURNING id`,
      [awaiting.release, siteId, awaiting.open.length > 0 ? awaiting.open : null],
    );
    if (rows.length === 0) return;
    await requestAsPublished(tx, siteId);
  });
  return null;
}

/** Returns the site whose live release waits for this item, or null. */
export async function selectSiteAwaiting(db: Db, mediaId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT s.id FROM media m JOIN sites s ON s.id = m.site_id JOIN releases r ON r.id = s.live_release
     WHERE m.id = $1 AND m.id = ANY(r.awaited_media)`,
    [mediaId],
  );
  return row?.id ?? null;
}
