import { type ChunkReader, createChunkReader } from '../chunk-reader.ts';
import type { StreamLength } from '../keyed-store.ts';
import type { S3Connection } from './client.ts';
import { type MultipartObject, openMultipartObject } from './multipart-object.ts';
import { putKnown } from './put-stream.ts';
import { createSpool, type Spool } from './spool.ts';

const mebibyte = 1024 * 1024;
/** The minimum size that S3 accepts for a part, except the last one; an object may have 10,000 parts. */
const minPartBytes = 5 * mebibyte;
/** S3 accepts at most 5 GiB in one PUT. */
const maxPutBytes = 4096 * mebibyte;

interface Target {
  bucket: string;
  key: string;
}

/** Streams the announced bytes, in as few parts as S3 allows, none of which is too small. */
async function sendKnown(object: MultipartObject, reader: ChunkReader, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const part = left > maxPutBytes ? Math.min(maxPutBytes, left - minPartBytes) : left;
    await object.put(reader.take(part), part);
    left -= part;
  }
}

/**
 * Spools the bytes beyond the announced length part by part, to learn the length of each part; `held` bytes are spooled
 * already.
 */
async function sendUnknown(object: MultipartObject, reader: ChunkReader, spool: Spool, held: number): Promise<void> {
  for (let bytes = held; bytes > 0; bytes = bytes < minPartBytes ? 0 : await spool.fill(reader, minPartBytes)) {
    await object.put(spool.read(bytes), bytes);
  }
}

/** Stores an object part by part; when `send` throws, nothing is stored. */
async function inParts(
  connection: S3Connection,
  { bucket, key }: Target,
  send: (object: MultipartObject) => Promise<void>,
): Promise<void> {
  const object = await openMultipartObject(connection, bucket, key);
  try {
    await send(object);
    await object.complete();
  } catch (error) {
    await object.abort();
    throw error;
  }
}

async function sendByLength(
  connection: S3Connection,
  target: Target,
  reader: ChunkReader,
  { bytes, minBytes = 0 }: StreamLength,
  spool: Spool,
): Promise<void> {
  if (bytes !== undefined) {
    if (bytes <= maxPutBytes) await putKnown(connection, target, reader.take(bytes), bytes);
    else await inParts(connection, target, (object) => sendKnown(object, reader, bytes));
    return;
  }
  if (minBytes >= minPartBytes) {
    await inParts(connection, target, async (object) => {
      await sendKnown(object, reader, minBytes);
      await sendUnknown(object, reader, spool, await spool.fill(reader, minPartBytes));
    });
    return;
  }
  const held = await spool.fill(reader, minPartBytes);
  if (held < minPartBytes) await putKnown(connection, target, spool.read(held), held);
  else await inParts(connection, target, (object) => sendUnknown(object, reader, spool, held));
}

/**
 * Stores a stream as one object, in constant memory. Nothing is stored when the source throws, or ends before the
 * announced length (ShortStream).
 */
export async function sendStream(
  connection: S3Connection,
  target: Target,
  source: AsyncIterable<Buffer>,
  length: StreamLength,
): Promise<void> {
  const spool = createSpool();
  try {
    await sendByLength(connection, target, createChunkReader(source), length, spool);
  } finally {
    await spool.close();
  }
}
