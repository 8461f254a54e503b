import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { problem } from '../../../core/errors.ts';
import { rememberFor } from '../../../core/single-flight.ts';
import { recordAvailable, recordUnavailable } from '../../unavailable.ts';
import { fileProblem, isAbsent } from './file-error.ts';

const freshMs = 1000;
const retryAfterSeconds = 30;
const request = 'files space';

async function readFreeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    // not created yet
    if (isAbsent(error) && path.dirname(folder) !== folder) return readFreeBytes(path.dirname(folder));
    throw fileProblem(error, 'space');
  }
}

/**
 * Watches the free space of the file system of a folder. `require` throws a Problem `unavailable` if less than
 * `minFreeBytes` would be left after writing `bytes`; it queries the disk at most once a second.
 */
export function watchFreeSpace(folder: string, minFreeBytes: number, read = readFreeBytes) {
  const freeBytes = rememberFor(freshMs, () => read(folder));

  return {
    async require(bytes = 0): Promise<void> {
      const free = await freeBytes();
      if (free - bytes >= minFreeBytes) return recordAvailable('objects', request);
      const has = Math.floor(free / 1_000_000);
      const needed = Math.ceil((minFreeBytes + bytes) / 1_000_000);
      const message = `The disk of the service has ${has} MB free, and writing needs ${needed} MB; it resumes when there is space.`;
      const refusedAs = 'no_space';
      recordUnavailable({ engine: 'objects', request, cause: refusedAs, refusedAs });
      throw problem('unavailable', message, { retryAfterSeconds, refusedAs });
    },
  };
}

export type FreeSpace = ReturnType<typeof watchFreeSpace>;
