import type { Db } from '../core/db.ts';
import { type ReadBytes, readDocument, type StoredInputs } from './format.ts';

/** Reads the inputs of a site's live release; null before the first publish. Throws MissingObject. */
export async function readLiveInputs(db: Db, objects: ReadBytes, siteId: string): Promise<StoredInputs | null> {
  const [live] = await db.query<{ inputs_hash: string }>(
    'SELECT r.inputs_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  return live ? readDocument(objects, live.inputs_hash) : null;
}

/** Returns the revision of an item that the live release shows, or null. Throws MissingObject. */
export async function findLiveRevision(
  db: Db,
  objects: ReadBytes,
  siteId: string,
  contentId: string,
): Promise<number | null> {
  const live = await readLiveInputs(db, objects, siteId);
  return live?.items.find(([id]) => id === contentId)?.[1] ?? null;
}

/**
 * Keeps the live revision of an item that is about to be purged, because builds of the content as last published still
 * show its page (contract: Store and publish). A running build may show the newest published revisions, so they are
 * kept too.
 */
export async function keepLiveRevision(
  tx: Db,
  siteId: string,
  contentId: string,
  liveRevision: number | null,
): Promise<void> {
  await tx.query(
    `INSERT INTO purged_revisions (content_id, revision, site_id, record, body_html, body_hash, created_at, item_created_at)
     SELECT r.content_id, r.revision, r.site_id, r.record, r.body_html, r.body_hash, r.created_at, c.created_at
     FROM content_revisions r JOIN content c ON c.id = r.content_id
     WHERE c.id = $1 AND c.site_id = $2 AND (r.revision = $3::INT8 OR r.revision IN (
       SELECT n.revision FROM content_revisions n JOIN sites s ON s.id = n.site_id
       WHERE n.content_id = $1 AND n.record->>'status' = 'published' AND s.build_token IS NOT NULL
       ORDER BY n.revision DESC LIMIT 2))
     ON CONFLICT (content_id, revision, site_id) DO NOTHING`,
    [contentId, siteId, liveRevision],
  );
}

/** Deletes the kept revisions of purged items that a release, just published from the stored content, does not show. */
export async function dropPurgedRevisions(tx: Db, siteId: string, shownIds: Iterable<string>): Promise<void> {
  const kept = await tx.query<{ content_id: string }>(
    'SELECT DISTINCT content_id FROM purged_revisions WHERE site_id = $1',
    [siteId],
  );
  if (kept.length === 0) return;
  const shown = new Set(shownIds);
  const gone = kept.map((row) => row.content_id).filter((id) => !shown.has(id));
  await tx.query('DELETE FROM purged_revisions WHERE site_id = $1 AND content_id = ANY($2::UUID[])', [siteId, gone]);
}
