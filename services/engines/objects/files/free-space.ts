import { statfs } from 'node:fs/promises';
import { problem } from '../../../core/errors.ts';
import { countUnavailable } from '../../metrics.ts';
import { fileProblem, isAbsent } from './file-error.ts';

const freshMs = 1000;
const retryAfterSeconds = 30;

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;

async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (isAbsent(error)) return Number.POSITIVE_INFINITY; // the write itself tells what is wrong
    throw fileProblem(error);
  }
}

/**
 * Watches the free space of the file system that a folder is on. `require` throws a Problem `unavailable` when less than `minFreeBytes`
 * would be left after writing `bytes`; it looks at the disk once a second at most.
 */
export function watchFreeSpace(folder: string, minFreeBytes: number) {
  let known: Promise<number> | undefined;
  let knownAt = Number.NEGATIVE_INFINITY;

  function freeBytes(): Promise<number> {
    if (!known || performance.now() - knownAt > freshMs) {
      knownAt = performance.now();
      known = readFreeBytes(folder);
    }
    return known;
  }

  return {
    async require(bytes = 0): Promise<void> {
      const free = await freeBytes();
      if (free - bytes >= minFreeBytes) return;
      countUnavailable('objects');
      const wanted = bytes > 0 ? `${inMegabytes(bytes)} more and a reserve of ` : '';
      const message =
        `The disk of the service has ${inMegabytes(free)} free, and writing needs ${wanted}${inMegabytes(minFreeBytes)}. ` +
        'It resumes when space has been freed.';
      throw problem('unavailable', message, { retryAfterSeconds });
    },
  };
}

export type FreeSpace = ReturnType<typeof watchFreeSpace>;
