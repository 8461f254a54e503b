import type { Db } from '../../core/db.ts';

/** The id of the newest rebuild job of a site, or null when its shell was never written. */
export async function selectLatestRebuild(db: Db, siteId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM jobs WHERE site_id = $1 AND kind = 'rebuild' ORDER BY created_at DESC, id DESC LIMIT 1`,
    [siteId],
  );
  return row?.id ?? null;
}
