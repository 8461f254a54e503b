import type { Db } from '../../core/db.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { StoredInputs } from './build/model.ts';

/** The ids of the media items that pages of the live release show. */
export async function readLiveMedia(
  { objects }: { objects: Pick<ObjectStore, 'getBytes'> },
  db: Db,
  siteId: string,
): Promise<Set<string>> {
  const [live] = await db.query<{ inputs_hash: string }>(
    'SELECT r.inputs_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [siteId],
  );
  if (!live?.inputs_hash) return new Set();
  const inputs = JSON.parse((await objects.getBytes(live.inputs_hash)).toString('utf8')) as StoredInputs;
  return new Set(inputs.media.map(({ id }) => id));
}
