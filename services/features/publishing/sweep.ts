import type { Db } from '../../core/db.ts';

/**
 * Selects sites with an item due within ten seconds: their actor must be awake in time, even if earlier signals were
 * lost.
 */
export async function selectSitesWithDueItems(db: Db): Promise<string[]> {
  const rows = await db.query<{ site_id: string }>(
    `SELECT DISTINCT site_id FROM content
     WHERE status = 'scheduled' AND trashed_at IS NULL AND scheduled_at < now() + INTERVAL '10 seconds'`,
  );
  return rows.map((row) => row.site_id);
}

/**
 * Selects sites whose actor should be awake: those with a job that has waited for two seconds, or with finished
 * variants that their live release lacks. Each worker runs this every few seconds, so that a lost signal or a dead
 * process never leaves work undone.
 */
export async function selectSitesToWake(db: Db): Promise<string[]> {
  const rows = await db.query<{ site_id: string }>(
    `SELECT site_id FROM jobs WHERE status IN ('queued', 'running') AND created_at < now() - INTERVAL '2 seconds'
     UNION
     SELECT r.site_id FROM releases r JOIN sites s ON s.live_release = r.id JOIN media m ON m.id = ANY(r.awaited_media)
     WHERE r.awaited_media IS NOT NULL AND m.status <> 'processing'`,
  );
  return rows.map((row) => row.site_id);
}
