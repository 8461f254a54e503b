import { createHash } from 'node:crypto';
import path from 'node:path';
import { requireKey } from '../keyed-store.ts';

/** Holds unfinished writes. No key begins with a dot. */
export const writingFolder = '.writing';

/**
 * Folders with this mark are not part of a key: they spread many objects over many folders. No key contains the mark.
 */
const spreadMark = '~';

/** Returns the spreading folder of an object within its key's folder, one of 256. */
function spreadOf(name: string): string {
  return spreadMark + createHash('sha256').update(name).digest('hex').slice(0, 2);
}

/**
 * Returns the path of a key below the store's folder: `packs/1b9d6bcd` is stored at `packs/~3f/1b9d6bcd`. Throws for an
 * invalid key.
 */
export function pathOfKey(key: string): string {
  requireKey(key);
  const segments = key.split('/');
  const name = segments.pop()!;
  return path.join(...segments, spreadOf(name), name);
}

/** Returns whether a folder of this name spreads objects, rather than being a segment of their keys. */
export const isSpread = (name: string): boolean => name.startsWith(spreadMark);
