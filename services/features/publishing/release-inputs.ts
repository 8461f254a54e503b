import { type ReadBytes, readDocument, type StoredInputs } from '../../build/format.ts';
import { readLiveInputs } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';

/** Reads the inputs of an existing release. Throws MissingObject. */
export async function readInputs(db: Db, objects: ReadBytes, releaseId: string): Promise<StoredInputs> {
  const [row] = await db.query<{ inputs_hash: string }>('SELECT inputs_hash FROM releases WHERE id = $1', [releaseId]);
  return readDocument(objects, row!.inputs_hash);
}

/** Returns whether a page of the live release shows this media item. */
export async function isMediaLive(db: Db, objects: ReadBytes, siteId: string, mediaId: string): Promise<boolean> {
  const live = await readLiveInputs(db, objects, siteId);
  return live?.media.some(({ id }) => id === mediaId) ?? false;
}
