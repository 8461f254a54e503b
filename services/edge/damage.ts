import { LRUCache } from 'lru-cache';
import { MissingObject } from '../engines/objects/store.ts';
import { SourceUnavailable } from './fresh-cache.ts';

const maxReported = 1000;

export type ReadGuarded = ReturnType<typeof createDamageGuard>;

/**
 * Creates a function that reads a document of a release and parses it. A document that is lost or damaged is an outage of what it
 * describes: the function rejects with SourceUnavailable. `onDamage` is called once for each such document.
 */
export function createDamageGuard(onDamage: (error: unknown, hash: string) => void) {
  const reported = new LRUCache<string, true>({ max: maxReported });
  return async function readGuarded<T>(hash: string, read: () => Promise<Buffer>) {
    try {
      const bytes = await read();
      return { document: JSON.parse(bytes.toString('utf8')) as T, jsonBytes: bytes.length };
    } catch (error) {
      if (!(error instanceof MissingObject) && !(error instanceof SyntaxError)) throw error;
      if (!reported.has(hash)) onDamage(error, hash);
      reported.set(hash, true);
      throw new SourceUnavailable(error);
    }
  };
}
