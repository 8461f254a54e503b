import { type ChunkReader, createChunkReader } from '../chunk-reader.ts';
import type { StreamLength } from '../keyed-store.ts';
import type { S3Connection } from './client.ts';
import { type MultipartObject, openMultipartObject } from './multipart-object.ts';
import { putKnown } from './put-stream.ts';

const mebibyte = 1024 * 1024;
/** The least that S3 takes as a part, unless it is the last one. */
export const minPartBytes = 5 * mebibyte;
/** The most that S3 takes in one PUT is 5 GiB. */
const maxPutBytes = 4096 * mebibyte;

async function* once(data: Buffer): AsyncGenerator<Buffer> {
  yield data;
}

/** What is known to come is streamed, in as few parts as S3 allows, none of which is too small. */
async function sendKnown(object: MultipartObject, reader: ChunkReader, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const part = left > maxPutBytes ? Math.min(maxPutBytes, left - minPartBytes) : left;
    await object.put(reader.take(part), part);
    left -= part;
  }
}

/** S3 wants the length of a part before its bytes: of what is not known to come, one part is held, always in the same memory. */
async function sendUnknown(object: MultipartObject, reader: ChunkReader, block: Buffer, filled: number): Promise<void> {
  for (let bytes = filled; bytes > 0; bytes = bytes < block.length ? 0 : await reader.fill(block)) {
    await object.put(once(block.subarray(0, bytes)), bytes);
  }
}

/**
 * Stores a stream as one object, in constant memory: at most 5 MiB of it are held. Nothing is stored when the source throws, or ends
 * before the length that was announced (ShortStream).
 */
export async function sendStream(
  connection: S3Connection,
  { bucket, key }: { bucket: string; key: string },
  source: AsyncIterable<Buffer>,
  { bytes, minBytes = 0 }: StreamLength,
): Promise<void> {
  const reader = createChunkReader(source);
  if (bytes !== undefined && bytes <= maxPutBytes) {
    await putKnown(connection, { bucket, key }, reader.take(bytes), bytes);
    return;
  }
  const known = bytes ?? (minBytes >= minPartBytes ? minBytes : 0);
  let block = Buffer.alloc(0);
  let filled = 0;
  if (known === 0) {
    block = Buffer.allocUnsafeSlow(minPartBytes);
    filled = await reader.fill(block);
    if (filled < block.length) {
      await putKnown(connection, { bucket, key }, once(block.subarray(0, filled)), filled);
      return;
    }
  }
  const object = await openMultipartObject(connection, bucket, key);
  try {
    await sendKnown(object, reader, known);
    if (bytes === undefined) {
      if (known > 0) {
        block = Buffer.allocUnsafeSlow(minPartBytes); // memory that is not written to costs nothing
        filled = await reader.fill(block);
      }
      await sendUnknown(object, reader, block, filled);
    }
    await object.complete();
  } catch (error) {
    await object.abort();
    throw error;
  }
}
