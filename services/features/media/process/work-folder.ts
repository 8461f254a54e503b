import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../app.ts';

/** The original on disk, and an empty folder for the results. */
export interface WorkFolder {
  input: string;
  folder: string;
}

/** The folder's name contains the pid of its process, so that another process can recognise abandoned folders. */
const folderName = /^fieldstone-media-(\d+)-/;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Removes folders that killed workers of this machine left in the temporary folder. Call it when a worker starts and
 * has no folder yet: a folder with its own pid belongs to an earlier worker, because the only process of a container
 * has the same pid each time.
 */
export async function removeStaleWorkFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1]);
    if (pid > 0 && (pid === process.pid || !isRunning(pid)))
      await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Fetches the bytes of `hash` into a temporary folder, which is always removed afterwards. */
export async function withOriginal<T>(
  { objects }: Pick<App, 'objects'>,
  hash: string,
  signal: AbortSignal,
  work: (files: WorkFolder) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(path.join(tmpdir(), `fieldstone-media-${process.pid}-`));
  try {
    const input = path.join(root, 'original');
    const folder = path.join(root, 'made');
    await mkdir(folder);
    await pipeline(await objects.getStream(hash), createWriteStream(input), { signal });
    return await work({ input, folder });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
