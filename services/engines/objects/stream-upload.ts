import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import type * as Minio from 'minio';
import { problem } from '../../core/errors.ts';
import { type ChunkReader, createChunkReader } from './chunk-reader.ts';
import { partBytes } from './client.ts';
import { openMultipartObject } from './multipart-object.ts';

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
}

const smallBytes = 256 * 1024;

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

/** What is known to come goes through as one part; the rest through `block`, `first` bytes of which are filled already. */
async function sendParts(
  { client, agent, bucket }: StreamTarget,
  key: string,
  reader: ChunkReader,
  known: number,
  block: Buffer,
  first: number,
): Promise<void> {
  const object = await openMultipartObject(client, agent, bucket, key);
  try {
    if (known > 0) await object.put(reader.take(known), known);
    let filled = known > 0 ? await reader.fill(block) : first;
    while (filled > 0) {
      await object.put(once(block.subarray(0, filled)), filled);
      filled = filled === block.length ? await reader.fill(block) : 0;
    }
    await object.complete();
  } catch (error) {
    await object.abort();
    throw error;
  }
}

/** The beginning of a stream of which nothing is known; most files end within the small block. */
async function readBeginning(reader: ChunkReader, isKnown: boolean): Promise<{ block: Buffer; filled: number }> {
  const small = Buffer.allocUnsafeSlow(isKnown ? 0 : smallBytes);
  const filled = await reader.fill(small);
  if (!isKnown && filled < small.length) return { block: small, filled };
  const block = Buffer.allocUnsafeSlow(partBytes); // memory that is not written to costs nothing
  small.copy(block);
  return { block, filled: isKnown ? 0 : filled + (await reader.fill(block.subarray(filled))) };
}

/**
 * Hashes a stream on its way into the store. What fits into one part is held and left to the caller; the rest goes up
 * under a random key, so that the file is never in memory whole, and of what is known to come, nothing. Throws a Problem
 * `too_large` beyond `maxBytes`, ShortStream below `minBytes`, and what `source` throws.
 */
export async function uploadStream(
  target: StreamTarget,
  source: Readable,
  { maxBytes, minBytes = 0 }: StreamLimits,
): Promise<Uploaded> {
  const hash = createHash('sha256');
  const count = { bytes: 0 };
  const reader = createChunkReader(countAndHash(source, hash, maxBytes, count));
  const known = minBytes >= partBytes && minBytes <= maxBytes ? minBytes : 0;
  try {
    const { block, filled } = await readBeginning(reader, known > 0);
    if (known === 0 && filled < partBytes) {
      return { hash: hash.digest('hex'), bytes: count.bytes, held: block.subarray(0, filled), key: null };
    }
    const key = `blobs/${randomUUID()}`;
    await sendParts(target, key, reader, known, block, filled);
    return { hash: hash.digest('hex'), bytes: count.bytes, held: null, key };
  } catch (error) {
    source.destroy();
    throw error;
  }
}
