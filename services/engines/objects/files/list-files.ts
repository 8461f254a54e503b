import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { recordAvailable } from '../../unavailable.ts';
import type { StoredObject } from '../keyed-store.ts';
import { fileProblem, isAbsent } from './file-error.ts';
import { isSpread } from './paths.ts';

/** Returns the entries of a folder; none if it has been removed meanwhile. */
async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw fileProblem(error, 'list');
  }
}

async function describeFile(file: string, key: string): Promise<StoredObject | null> {
  try {
    const { size, mtime } = await stat(file);
    return { key, bytes: size, modifiedAt: mtime };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw fileProblem(error, 'list');
  }
}

/** Returns whether a folder whose keys have this beginning can contain a key that begins with `prefix`. */
const mayHold = (beginning: string, prefix: string): boolean =>
  beginning.startsWith(prefix) || prefix.startsWith(beginning);

/**
 * Yields every object of a folder whose key begins with `prefix`; holds one folder in memory at a time. Unfinished
 * writes are in a folder whose name begins with a dot, which no key does.
 */
export async function* listFiles(root: string, prefix: string): AsyncGenerator<StoredObject> {
  async function* walk(folder: string, beginning: string): AsyncGenerator<StoredObject> {
    for (const entry of await readFolder(folder)) {
      const { name } = entry;
      if (name.startsWith('.')) continue;
      const inside = path.join(folder, name);
      if (!entry.isDirectory()) {
        const found = (beginning + name).startsWith(prefix) ? await describeFile(inside, beginning + name) : null;
        if (found) yield found;
        continue;
      }
      const next = isSpread(name) ? beginning : `${beginning}${name}/`;
      if (mayHold(next, prefix)) yield* walk(inside, next);
    }
  }
  yield* walk(root, '');
  recordAvailable('objects', 'files list');
}
