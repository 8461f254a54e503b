import { constants } from 'node:fs';
import { access, type FileHandle, open, rmdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Problem } from '../../../core/errors.ts';
import { measureRequest } from '../../metrics.ts';
import { ShortStream } from '../chunk-reader.ts';
import type { ByteRange, KeyedStore, StreamLength } from '../keyed-store.ts';
import { watchSource } from '../source-fault.ts';
import { makeFolder, writeDurably } from './durable-file.ts';
import { fileProblem, isAbsent } from './file-error.ts';
import { type FreeSpace, watchFreeSpace } from './free-space.ts';
import { listFiles } from './list-files.ts';
import { pathOfKey } from './paths.ts';

const chunkBytes = 64 * 1024;
/** The interval at which a long write checks the free space. */
const spaceEveryBytes = 8 * 1024 * 1024;

/** Measures one request and converts file system errors to `unavailable`. */
async function runRequest<T>(operation: string, run: () => Promise<T>): Promise<T> {
  return measureRequest({ engine: 'objects', operation, span: `files ${operation}` }, async () => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof Problem || error instanceof ShortStream) throw error;
      throw fileProblem(error, operation);
    }
  });
}

/** Does the same, but resolves to null if the file is not found. */
function unlessAbsent<T>(operation: string, run: () => Promise<T>): Promise<T | null> {
  return runRequest<T | null>(operation, async () => {
    try {
      return await run();
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  });
}

async function readRange(file: FileHandle, { start, end }: ByteRange): Promise<Buffer> {
  const { size } = await file.stat();
  const block = Buffer.allocUnsafeSlow(Math.max(0, Math.min(end + 1, size) - start));
  let filled = 0;
  while (filled < block.length) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return block.subarray(0, filled);
}

/** Passes a stream on and checks the free space meanwhile. Throws ShortStream when it ends too early. */
async function* metered(source: AsyncIterable<Buffer>, { bytes, minBytes }: StreamLength, space: FreeSpace) {
  let passed = 0;
  let askAt = spaceEveryBytes;
  for await (const chunk of source) {
    passed += chunk.length;
    if (passed >= askAt) {
      await space.require();
      askAt = passed + spaceEveryBytes;
    }
    yield chunk;
  }
  if (passed < (bytes ?? minBytes ?? 0)) {
    throw new ShortStream('The stream ended before its announced length.');
  }
}

/** Removes empty folders, from `folder` upwards, but not `root`. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let each = folder; each !== root; each = path.dirname(each)) {
    try {
      await rmdir(each);
    } catch {
      return; // not empty, or another process removed it first
    }
  }
}

/**
 * Opens a keyed store in a folder of this machine: one file per object, durable once written, readable by this user
 * only. Several processes may use it concurrently. Refuses writes while less than `minFreeBytes` are free on its disk.
 */
export function openFileStore({ folder, minFreeBytes }: { folder: string; minFreeBytes: number }): KeyedStore {
  const space = watchFreeSpace(folder, minFreeBytes);
  const locate = (key: string) => path.join(folder, pathOfKey(key));

  return {
    place: `the folder ${folder}`,
    ensure: () => runRequest('bucket', () => makeFolder(folder)),
    async ping() {
      const found = await unlessAbsent('bucket', () =>
        access(folder, constants.R_OK | constants.W_OK | constants.X_OK),
      );
      return found !== null;
    },
    async put(key, data) {
      const relative = pathOfKey(key);
      await runRequest('put', async () => {
        await space.require(data.length);
        await writeDurably(folder, relative, (file) => file.writeFile(data));
      });
    },
    async putStream(key, source, length = {}) {
      const relative = pathOfKey(key);
      const { stream, rethrow } = watchSource(source);
      await runRequest('put', async () => {
        await space.require(length.bytes ?? length.minBytes);
        await writeDurably(folder, relative, (file) => file.writeFile(metered(stream, length, space)));
      }).catch(rethrow);
    },
    async get(key, range = { start: 0, end: Number.MAX_SAFE_INTEGER }) {
      const target = locate(key);
      return unlessAbsent('read', async () => {
        const file = await open(target, 'r');
        try {
          return await readRange(file, range);
        } finally {
          await file.close();
        }
      });
    },
    async getStream(key, range) {
      const target = locate(key);
      if (range && range.end < range.start) return Readable.from([]);
      return unlessAbsent('get', async () => {
        const file = await open(target, 'r');
        return file.createReadStream({ ...range, highWaterMark: chunkBytes });
      });
    },
    async size(key) {
      const target = locate(key);
      return unlessAbsent('get', async () => (await stat(target)).size);
    },
    list: (prefix) => listFiles(folder, prefix),
    async remove(keys) {
      for (const key of keys) {
        const target = locate(key);
        await unlessAbsent('delete', () => unlink(target));
        await removeEmpty(folder, path.dirname(target));
      }
    },
    requireSpace: () => space.require(),
  };
}
