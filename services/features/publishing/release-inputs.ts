import { type ReadBytes, readDocument, type StoredInputs } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';

/** The inputs of a release that is there. Throws MissingObject. */
export async function readInputs(db: Db, objects: ReadBytes, releaseId: string): Promise<StoredInputs> {
  const [row] = await db.query<{ inputs_hash: string }>('SELECT inputs_hash FROM releases WHERE id = $1', [releaseId]);
  return readDocument(objects, row!.inputs_hash);
}

/** The inputs of the live release of a site, or null before the first publish. Throws MissingObject. */
async function readLiveInputs(db: Db, objects: ReadBytes, siteId: string): Promise<StoredInputs | null> {
  const [live] = await db.query<{ inputs_hash: string }>(
    'SELECT r.inputs_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  return live ? readDocument(objects, live.inputs_hash) : null;
}

/** Whether a page of the live release shows this item of the library. */
export async function isMediaLive(db: Db, objects: ReadBytes, siteId: string, mediaId: string): Promise<boolean> {
  const live = await readLiveInputs(db, objects, siteId);
  return live?.media.some(({ id }) => id === mediaId) ?? false;
}
