import type { StoreSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { rememberFor } from '../../core/single-flight.ts';
import { readEngines } from '../record/record.ts';
import type { KeyedStore } from './keyed-store.ts';
import { openKeyedStore } from './open.ts';

/** How long the record in SQL about the previous store is cached. */
const freshMs = 5000;

/**
 * Wraps a store with a fallback to the previous one for reads, for as long as SQL records that objects are being moved
 * from there (`fieldstone engines set`, `objects copy`). Writes and removals only affect the present store. SQL and the
 * previous store are read only if an object is missing.
 */
export function withFallback(present: KeyedStore, settings: StoreSettings, db: Db): KeyedStore {
  const before = openKeyedStore(settings);
  const isUsed = rememberFor(freshMs, async () => (await readEngines(db))?.fallback === settings.engine);

  /**
   * Reads from the present store, then from the previous one, then once more from the present one, to which the object
   * may have been moved meanwhile.
   */
  async function read<T>(ask: (store: KeyedStore) => Promise<T | null>): Promise<T | null> {
    const found = await ask(present);
    if (found !== null || !(await isUsed())) return found;
    return (await ask(before)) ?? (await ask(present));
  }

  return {
    ...present,
    get: (key, range) => read((store) => store.get(key, range)),
    getStream: (key, range) => read((store) => store.getStream(key, range)),
    size: (key) => read((store) => store.size(key)),
  };
}
