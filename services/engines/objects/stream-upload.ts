import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import type * as Minio from 'minio';
import { problem } from '../../core/errors.ts';
import { type ChunkReader, createChunkReader } from './chunk-reader.ts';
import { partBytes } from './client.ts';
import { type MultipartObject, openMultipartObject } from './multipart-object.ts';

export interface Uploaded {
  hash: string;
  bytes: number;
  /** The whole stream when it was small enough to be held: nothing has been uploaded then. */
  held: Buffer | null;
  /** The object that holds the bytes otherwise. */
  key: string | null;
}

export interface StreamLimits {
  maxBytes: number;
  /** The stream is known to have so many at least: they need not be held on their way. Throws ShortStream if it has not. */
  minBytes?: number | undefined;
  /** Of a stream of which nothing is known, so much is held to see whether it ends there. */
  heldBytes?: number | undefined;
}

const heldByDefault = 1024 * 1024;
/** The least that S3 takes as a part, unless it is the last one. */
const minPartBytes = 5 * 1024 * 1024;
const zeros = Buffer.alloc(64 * 1024);

interface StreamTarget {
  client: Minio.Client;
  agent: Agent;
  bucket: string;
}

function tooLarge(maxBytes: number) {
  return problem('too_large', `The file is larger than the allowed ${maxBytes} bytes.`);
}

async function* countAndHash(source: AsyncIterable<Buffer>, hash: Hash, maxBytes: number, count: { bytes: number }) {
  for await (const chunk of source) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    yield chunk;
  }
}

async function* once(data: Buffer): AsyncGenerator<Buffer> {
  yield data;
}

/** As much of a stream as there is, filled up with zeros to `bytes`. */
async function* padded(beginning: Buffer, reader: ChunkReader, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes - beginning.length;
  yield beginning;
  while (left > 0) {
    const chunk = (await reader.next(left)) ?? zeros.subarray(0, left);
    left -= chunk.length;
    yield chunk;
  }
}

/** What is known to come goes through as one part; the little that may follow is held to see how much it is. */
async function sendKnown(object: MultipartObject, reader: ChunkReader, known: number): Promise<void> {
  await object.put(reader.take(known), known);
  const block = Buffer.allocUnsafeSlow(partBytes); // memory that is not written to costs nothing
  for (let filled = block.length; filled === block.length; ) {
    filled = await reader.fill(block);
    if (filled > 0) await object.put(once(block.subarray(0, filled)), filled);
  }
}

/**
 * S3 wants the length of a part before its bytes. So that none need be held, every part is said to have the same length, and
 * the last is filled up: what lies in an object beyond the bytes that it is known to have is never read.
 */
async function sendUnknown(object: MultipartObject, reader: ChunkReader, beginning: Buffer): Promise<void> {
  const bytes = Math.max(minPartBytes, beginning.length);
  await object.put(padded(beginning, reader, bytes), bytes);
  for (let first = await reader.next(minPartBytes); first; first = await reader.next(minPartBytes)) {
    await object.put(padded(first, reader, minPartBytes), minPartBytes);
  }
}

async function sendParts(
  { client, agent, bucket }: StreamTarget,
  key: string,
  send: (object: MultipartObject) => Promise<void>,
): Promise<void> {
  const object = await openMultipartObject(client, agent, bucket, key);
  try {
    await send(object);
    await object.complete();
  } catch (error) {
    await object.abort();
    throw error;
  }
}

/** The beginning of a stream, or all of it. */
async function readBeginning(reader: ChunkReader, bytes: number): Promise<Buffer> {
  const block = Buffer.allocUnsafeSlow(bytes);
  return block.subarray(0, await reader.fill(block));
}

/**
 * Hashes a stream on its way into the store. What is small is held and left to the caller; the rest goes up under a random
 * key, so that the file is never in memory whole. Throws a Problem `too_large` beyond `maxBytes`, ShortStream below `minBytes`,
 * and what `source` throws.
 */
export async function uploadStream(
  target: StreamTarget,
  source: Readable,
  { maxBytes, minBytes = 0, heldBytes = minBytes > 0 ? partBytes : heldByDefault }: StreamLimits,
): Promise<Uploaded> {
  const hash = createHash('sha256');
  const count = { bytes: 0 };
  const reader = createChunkReader(countAndHash(source, hash, maxBytes, count));
  const known = minBytes >= minPartBytes && minBytes <= maxBytes ? minBytes : 0;
  const key = `blobs/${randomUUID()}`;
  try {
    if (known > 0) {
      await sendParts(target, key, (object) => sendKnown(object, reader, known));
    } else {
      const held = await readBeginning(reader, heldBytes);
      if (held.length < heldBytes) return { hash: hash.digest('hex'), bytes: count.bytes, held, key: null };
      await sendParts(target, key, (object) => sendUnknown(object, reader, held));
    }
    return { hash: hash.digest('hex'), bytes: count.bytes, held: null, key };
  } catch (error) {
    source.destroy();
    throw error;
  }
}
