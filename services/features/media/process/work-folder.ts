import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../app.ts';

/** The original on disk, and an empty folder for what is made of it. */
export interface WorkFolder {
  input: string;
  folder: string;
}

/** The process that owns a folder is in its name, so that the next one can tell which were left behind. */
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
 * Removes what killed workers of this machine have left in its temporary folder. For the start of a worker, which has no folder yet:
 * one that seems to be its own is of a worker that had the same number, as the only process of a container has each time.
 */
export async function removeStaleWorkFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1]);
    if (pid > 0 && (pid === process.pid || !isRunning(pid)))
      await rm(path.join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Fetches the bytes of `hash` into a folder that is gone afterwards, whatever happens. */
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
