import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { problem } from '../../../core/errors.ts';
import type { ChunkReader } from '../chunk-reader.ts';

const chunkBytes = 64 * 1024;

async function spooling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const message = 'The folder for temporary files cannot be used at the moment; try again shortly.';
    throw problem('unavailable', message, { retryAfterSeconds: 5, cause });
  }
}

/** Opens a file that no other process sees and that vanishes when this one ends. */
async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `fieldstone-part-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await rm(name);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}

/**
 * Creates a buffer on disk for one part of a stream: S3 requires the length of a part before its first byte. The file
 * is created when the first byte arrives. Throws a Problem `unavailable` when the folder for temporary files is not
 * writable.
 */
export function createSpool() {
  let file: FileHandle | undefined;

  return {
    /** Replaces the contents by at most `max` bytes of a stream; returns their number. */
    async fill(reader: ChunkReader, max: number): Promise<number> {
      let filled = 0;
      while (filled < max) {
        const chunk = await reader.next(max - filled);
        if (!chunk) break;
        const at = filled;
        await spooling(async () => {
          file ??= await openNameless();
          for (let done = 0; done < chunk.length; ) {
            done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
          }
        });
        filled += chunk.length;
      }
      return filled;
    },
    /** Yields the first `bytes` bytes. */
    async *read(bytes: number): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes; ) {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes - at));
        const { bytesRead } = await spooling(() => file!.read(chunk, 0, chunk.length, at));
        if (bytesRead === 0) throw new Error('The spooled part of a stream is incomplete.');
        yield chunk.subarray(0, bytesRead);
        at += bytesRead;
      }
    },
    async close(): Promise<void> {
      await file?.close();
    },
  };
}

export type Spool = ReturnType<typeof createSpool>;
