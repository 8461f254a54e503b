import type { StoreSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { rememberFor } from '../../core/single-flight.ts';
import { readEngines } from '../record/record.ts';
import type { KeyedStore } from './keyed-store.ts';
import { openKeyedStore } from './open.ts';

/** How long what SQL says of the store before is believed. */
const freshMs = 5000;

/**
 * A store that asks another one for what it lacks, for as long as SQL says that objects are being moved from there (`fieldstone engines
 * set`, `objects copy`). Writes and removals are the present store's alone. Nothing is asked of SQL or the other store while nothing
 * is missing.
 */
export function withFallback(present: KeyedStore, settings: StoreSettings, db: Db): KeyedStore {
  const before = openKeyedStore(settings);
  const isUsed = rememberFor(freshMs, async () => (await readEngines(db))?.fallback === settings.engine);

  /** Asks the present store, and the one before for what is not there; once more the present one, to which it may have come meanwhile. */
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
