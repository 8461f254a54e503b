import type { Db } from '../../core/db.ts';
import { recordEvents } from '../events/index.ts';
import type { MediaRow } from './row.ts';

/** Records the event that a media item is `ready`. Call it in the transaction that sets this status. */
export async function announceReady(
  tx: Db,
  { id, site_id, kind, filename }: Pick<MediaRow, 'id' | 'site_id' | 'kind' | 'filename'>,
): Promise<void> {
  await recordEvents(tx, site_id, { 'media.ready': () => [{ media: { id, kind, filename } }] });
}
