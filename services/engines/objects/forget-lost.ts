import type { Db } from '../../core/db.ts';
import { MissingObject, type ObjectStore, type Place } from './store.ts';

async function isThere(objects: Pick<ObjectStore, 'getAt'>, place: Place): Promise<boolean> {
  try {
    const stream = await objects.getAt(place, { start: 0, end: 0 });
    for await (const _ of stream); // one byte, so that the connection can be used again
    return true;
  } catch (error) {
    if (error instanceof MissingObject) return false;
    throw error;
  }
}

/**
 * Forgets those of the hashes whose object has gone from the store although SQL still knows it, with all else that lay in it:
 * whoever stores the bytes again stores them really.
 */
export async function forgetLost(
  db: Db,
  objects: Pick<ObjectStore, 'getAt' | 'locate'>,
  hashes: readonly string[],
): Promise<void> {
  const places = new Map([...(await objects.locate(hashes)).values()].map((place) => [place.key, place]));
  for (const [key, place] of places) {
    if (!(await isThere(objects, place))) await db.query('DELETE FROM objects WHERE object_key = $1', [key]);
  }
}
