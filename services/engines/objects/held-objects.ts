import { inParallel } from '../../core/in-parallel.ts';
import { MissingObject } from './missing-object.ts';
import type { ObjectStore } from './store.ts';

/** Reads bytes of the object store by their hash. */
export type ReadBytes = Pick<ObjectStore, 'getBytes'>;

/** Objects that are read at the same time. */
const readsAtOnce = 16;

/**
 * A transaction needs bytes that have not been read yet. Never caught within it, except to request more bytes before it is
 * thrown again.
 */
export class ObjectNeeded extends Error {
  constructor(hash: string) {
    super(`The object ${hash} is read before the transaction.`);
  }
}

/** Resolves to the bytes, or to the MissingObject error, which the work may handle. */
function readIfThere(objects: ReadBytes, hash: string): Promise<Buffer | MissingObject> {
  return objects.getBytes(hash).catch((error: unknown) => {
    if (error instanceof MissingObject) return error;
    throw error;
  });
}

/**
 * Runs work whose transaction reads objects. `held.getBytes` returns bytes that were read already; otherwise it ends
 * the transaction, the bytes are read outside of it, and the work runs again: once for all objects that it requested at
 * the same time. Bytes never change under their hash, so earlier reads stay valid. Rejects as `work` and the store do.
 */
export async function withHeldObjects<T>(objects: ReadBytes, work: (held: ReadBytes) => Promise<T>): Promise<T> {
  const alreadyRead = new Map<string, Buffer | MissingObject>();
  const needed = new Set<string>();
  const held: ReadBytes = {
    async getBytes(hash) {
      const found = alreadyRead.get(hash);
      if (!found) needed.add(hash);
      if (!found || found instanceof Error) throw found ?? new ObjectNeeded(hash);
      return found;
    },
  };
  for (;;) {
    try {
      return await work(held);
    } catch (error) {
      if (!(error instanceof ObjectNeeded)) throw error;
      await inParallel([...needed], readsAtOnce, async (hash) =>
        alreadyRead.set(hash, await readIfThere(objects, hash)),
      );
      needed.clear();
    }
  }
}
