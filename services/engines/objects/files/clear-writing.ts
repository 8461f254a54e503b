import { rm } from 'node:fs/promises';
import path from 'node:path';
import { writingFolder } from './paths.ts';

/**
 * Removes what writes that never ended have left in a store's folder. Only for who knows that no process writes there: `fieldstone up`
 * before it starts the roles, which holds the lock of the data folder.
 */
export async function clearWriting(folder: string): Promise<void> {
  await rm(path.join(folder, writingFolder), { recursive: true, force: true });
}
