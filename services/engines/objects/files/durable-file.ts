import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAbsent } from './file-error.ts';
import { writingFolder } from './paths.ts';

const folderMode = 0o700;
const fileMode = 0o600;
/** A folder may be removed, because it is empty, between being made and being used. */
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

/** Makes a folder and those above it that are missing, durably (mode 0700). */
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
 * Makes a file below `root`, or replaces it, in one step: it is written beside, made durable, and given its name, which is made durable
 * too. Mode 0600. When `write` throws, nothing is left.
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
