import type { Db } from '../../core/db.ts';
import { notFound, problem } from '../../core/errors.ts';
import type { LargeBytes, LargeText } from '../../core/large-list.ts';
import { largeText, openBytes } from '../../engines/objects/large-text.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import { allocateNumber, type DeliveryRow, selectDelivery } from './deliveries-sql.ts';
import { requeueDelivery } from './delivery-state.ts';
import { type DeliveryRecord, presentDelivery } from './present.ts';

/** Returns a delivery. Throws `not_found`. */
export async function requireDelivery(db: Db, integrationId: string, id: string): Promise<DeliveryRow> {
  const row = await selectDelivery(db, integrationId, id);
  if (!row) throw notFound('delivery');
  return row;
}

/** Returns the recorded bytes, or null when retention deleted them. */
export async function loadDeliveryBody(
  objects: Pick<ObjectStore, 'getBytes'>,
  row: DeliveryRow,
): Promise<Buffer | null> {
  return row.body_hash ? objects.getBytes(row.body_hash) : row.body;
}

/** Returns the whole record, including a large body. */
export async function loadDelivery(objects: Pick<ObjectStore, 'getBytes'>, row: DeliveryRow): Promise<DeliveryRecord> {
  return presentDelivery(row, await loadDeliveryBody(objects, row));
}

/** Returns whether stored bytes are UTF-8, reading them in pieces. */
async function isStoredUtf8({ pieces }: LargeBytes): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const { read } of pieces) decoder.decode(await read(), { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/**
 * Returns the body of a delivery for a response; a body in the object store is read while it is sent. Throws
 * MissingObject if it is not in the store.
 */
export async function openDeliveryBody(
  objects: Pick<ObjectStore, 'locate' | 'readAt'>,
  { body, body_hash: hash }: Pick<DeliveryRow, 'body' | 'body_hash'>,
): Promise<Buffer | LargeText | null> {
  if (!hash) return body;
  return largeText(objects, hash, (await isStoredUtf8(await openBytes(objects, hash))) ? 'utf8' : 'base64');
}

/**
 * Processes a delivery again from its recorded bytes, as the newest of its item (spec: Mappers, rule 6; contract:
 * Mappers). Call it in a transaction, and wake the integration's actor afterwards. Throws `not_found`, and `conflict`
 * when retention deleted the bytes.
 */
export async function replayDelivery(db: Db, integrationId: string, id: string): Promise<DeliveryRow> {
  const row = await requireDelivery(db, integrationId, id);
  if (row.purged_at) throw problem('conflict', 'The recorded bytes of this delivery are no longer kept.');
  const seq = await allocateNumber(db, integrationId);
  const replayed = seq === undefined ? undefined : await requeueDelivery(db, row, seq);
  if (!replayed) throw notFound('delivery');
  return replayed;
}
