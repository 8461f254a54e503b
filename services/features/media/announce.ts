import type { Db } from '../../core/db.ts';
import { recordEvents } from '../events/index.ts';
import type { MediaRow } from './row.ts';

/** Records that an item has become `ready`; in the transaction in which it does. */
export async function announceReady(
  tx: Db,
  { id, site_id, kind, filename }: Pick<MediaRow, 'id' | 'site_id' | 'kind' | 'filename'>,
): Promise<void> {
  await recordEvents(tx, site_id, { 'media.ready': () => [{ media: { id, kind, filename } }] });
}
