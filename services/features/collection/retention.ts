import type { Db } from '../../core/db.ts';

export interface ReleaseRetention {
  /** Number of the newest releases of a site that are kept, in addition to the live one and the preview. */
  newest: number;
  /** Releases created or replaced within this time are kept too; preview links are valid as long. */
  days: number;
}

/**
 * Deletes releases outside the retention, and previews of items, which no site ever pointed to, once their links have
 * expired. One statement, so that a release that goes live meanwhile is never deleted.
 */
export async function deleteOldReleases(db: Db, { newest, days }: ReleaseRetention, now: Date): Promise<number> {
  const rows = await db.query(
    `DELETE FROM releases WHERE id IN (
       SELECT r.id FROM (
         SELECT id, site_id, preview, created_at, replaced_at,
           row_number() OVER (PARTITION BY site_id, preview ORDER BY created_at DESC, id DESC) AS place
         FROM releases
       ) AS r JOIN sites s ON s.id = r.site_id
       WHERE (r.preview OR r.place > $1::INT8)
         AND (COALESCE(r.replaced_at, r.created_at) < $3::TIMESTAMPTZ - $2::INT8 * INTERVAL '1 day'
           OR r.preview AND r.replaced_at IS NULL AND r.created_at < $3::TIMESTAMPTZ - INTERVAL '25 hours')
         AND (s.live_release IS NULL OR r.id <> s.live_release)
         AND (s.preview_release IS NULL OR r.id <> s.preview_release))
     RETURNING id`,
    [newest, days, now],
  );
  return rows.length;
}

/** Deletes assets a day after a release replaced them (contract: Public paths), plus an hour of margin. */
export async function deleteRetiredAssets(db: Db, now: Date): Promise<void> {
  await db.query(`DELETE FROM site_assets WHERE retired_at < $1::TIMESTAMPTZ - INTERVAL '25 hours'`, [now]);
}
