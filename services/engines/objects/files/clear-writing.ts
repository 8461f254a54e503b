import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writingFolder } from './paths.ts';

/**
 * Removes the files of interrupted writes from a store's folder. Call it only when no process can be writing there:
 * `fieldstone up` does, before it starts the roles, while it holds the lock of the data folder.
 */
export async function clearWriting(folder: string): Promise<void> {
  await rm(path.join(folder, writingFolder), { recursive: true, force: true });
}
