import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { App } from '../../app.ts';

/** The original on disk, and an empty folder for what is made of it. */
export interface WorkFolder {
  input: string;
  folder: string;
}

/** Fetches the bytes of `hash` into a folder that is gone afterwards, whatever happens. */
export async function withOriginal<T>(
  { objects }: Pick<App, 'objects'>,
  hash: string,
  signal: AbortSignal,
  work: (files: WorkFolder) => Promise<T>,
): Promise<T> {
  const root = await mkdtemp(path.join(tmpdir(), 'fieldstone-media-'));
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
