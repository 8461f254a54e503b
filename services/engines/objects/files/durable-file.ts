import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent } from './file-error.ts';
import { writingFolder } from './paths.ts';

const folderMode = 0o700;
const fileMode = 0o600;
/** Between its creation and its use, a folder may be removed because it is empty. */
const maxAttempts = 20;

/** Makes the entries of a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder and its missing parents, durably (mode 0700). */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: folderMode });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isAbsent(error) || attempt === maxAttempts) throw error;
      await makeFolder(folder);
    }
  }
}

/**
 * Creates or replaces a file below `root` atomically: writes a temporary file, syncs it, renames it and syncs the
 * folder. Mode 0600. Leaves nothing when `write` throws.
 */
export async function writeDurably(
  root: string,
  relative: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const beside = path.join(root, writingFolder);
  const temporary = path.join(beside, randomUUID());
  const target = path.join(root, relative);
  const file = await inFolder(beside, () => open(temporary, 'wx', fileMode));
  try {
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await inFolder(path.dirname(target), async () => {
      await rename(temporary, target);
      await syncFolder(path.dirname(target));
    });
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
