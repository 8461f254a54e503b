import type { Db } from '../../core/db.ts';
import { MissingObject, type ObjectStore, type Place } from './store.ts';

async function isThere(objects: Pick<ObjectStore, 'getAt'>, place: Place): Promise<boolean> {
  try {
    const stream = await objects.getAt(place, { start: 0, end: 0 });
    for await (const _ of stream); // reads its one byte, so that the connection can be reused
    return true;
  } catch (error) {
    if (error instanceof MissingObject) return false;
    throw error;
  }
}

/**
 * Deletes the records of hashes whose object is missing from the store, with all other records of that object, so that
 * storing the bytes again really writes them.
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
