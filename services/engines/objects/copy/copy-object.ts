import type { Db } from '../../../core/db.ts';
import type { KeyedStore } from '../keyed-store.ts';
import { type KnownObject, recordCopy, selectBlobs } from './progress.ts';
import { findDamaged } from './verify-object.ts';

/** The result for one object. */
export type Outcome =
  /** Copied; the target lacked it. */
  | { kind: 'copied'; bytes: number; damaged: string[] }
  /** The target had it already. */
  | { kind: 'present'; damaged: string[] }
  /** Neither store has it. */
  | { kind: 'lost' }
  /** Collected meanwhile. */
  | { kind: 'gone' };

export interface CopyStores {
  from: KeyedStore;
  to: KeyedStore;
  /** The name under which copies are recorded. */
  target: string;
}

/** Copies an object's bytes unchanged; returns false if the source does not have it. */
async function copyBytes({ from, to }: CopyStores, key: string, bytes: number): Promise<boolean> {
  const stream = await from.getStream(key);
  if (!stream) return false;
  await to.putStream(key, stream, { bytes });
  return true;
}

/**
 * Copies one object to the target and compares every blob of the copy with its hash. An object that the target has is
 * copied again only if damaged; one that was compared earlier is not read again. Blobs that are damaged in the source
 * too are listed in `damaged`.
 */
export async function copyObject(db: Db, stores: CopyStores, object: KnownObject): Promise<Outcome> {
  const { from, to, target } = stores;
  const { key, recorded } = object;
  const targetBytes = await to.size(key);
  if (recorded && targetBytes !== null && targetBytes >= object.bytes) return { kind: 'present', damaged: [] };
  const blobs = await selectBlobs(db, key);
  if (blobs.length === 0) return { kind: 'gone' };
  if (targetBytes !== null && (await findDamaged(to, key, blobs)).length === 0) {
    await recordCopy(db, target, key);
    return { kind: 'present', damaged: [] };
  }
  const bytes = await from.size(key);
  if (bytes === null || !(await copyBytes(stores, key, bytes))) {
    if (targetBytes === null) return { kind: (await selectBlobs(db, key)).length > 0 ? 'lost' : 'gone' };
    return { kind: 'present', damaged: await findDamaged(to, key, blobs) };
  }
  const damaged = await findDamaged(to, key, blobs);
  const sourceDamaged = damaged.length > 0 ? await findDamaged(from, key, blobs) : [];
  if (damaged.join() !== sourceDamaged.join()) {
    await to.remove([key]);
    throw new Error(`The object ${key} did not arrive as it was sent; it was removed from ${to.place} again.`);
  }
  await recordCopy(db, target, key);
  return { kind: 'copied', bytes, damaged };
}
