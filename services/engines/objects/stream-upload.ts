import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { problem } from '../../core/errors.ts';
import { type ChunkReader, createChunkReader, ShortStream } from './chunk-reader.ts';
import type { KeyedStore } from './keyed-store.ts';

export interface Uploaded {
  hash: string;
  bytes: number;
  /** The whole stream, if it was small enough to hold; nothing has been uploaded then. */
  held: Buffer | null;
  /** The object that contains the bytes otherwise. */
  key: string | null;
}

export interface StreamLimits {
  maxBytes: number;
  /** Known minimum length of the stream, which need not be held. Throws ShortStream if it is shorter. */
  minBytes?: number | undefined;
  /** If the stream is not known to be long, up to this many bytes are held to see whether it ends within them. */
  heldBytes?: number | undefined;
}

const heldByDefault = 1024 * 1024;
/** A stream of at least this known length is stored as an object of its own without waiting for its end. */
const longBytes = 5 * 1024 * 1024;

function tooLarge(maxBytes: number) {
  return problem('too_large', `The file is larger than the allowed ${maxBytes} bytes.`);
}

async function* countAndHash(
  source: AsyncIterable<Buffer>,
  hash: Hash,
  { maxBytes, minBytes }: { maxBytes: number; minBytes: number },
  count: { bytes: number },
) {
  for await (const chunk of source) {
    count.bytes += chunk.length;
    if (count.bytes > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    yield chunk;
  }
  if (count.bytes < minBytes) throw new ShortStream('The stream ended before its announced length.');
}

/** Reads the beginning of a stream, or all of it. */
async function readBeginning(reader: ChunkReader, bytes: number): Promise<Buffer> {
  const block = Buffer.allocUnsafeSlow(bytes);
  return block.subarray(0, await reader.fill(block));
}

/** Yields the whole stream, starting with the part that has been read, which is freed once it is passed on. */
async function* resume(beginning: Buffer[], reader: ChunkReader): AsyncGenerator<Buffer> {
  yield beginning.pop()!;
  yield* reader.rest();
}

/**
 * Hashes a stream on its way into the store. A small stream is held and returned; a larger one is uploaded under `key`,
 * so that it is never in memory whole. Throws a Problem `too_large` beyond `maxBytes`, ShortStream below `minBytes`,
 * and what `source` throws.
 */
export async function uploadStream(
  { stored, key }: { stored: KeyedStore; key: string },
  source: Readable,
  { maxBytes, minBytes = 0, heldBytes = heldByDefault }: StreamLimits,
): Promise<Uploaded> {
  const hash = createHash('sha256');
  const count = { bytes: 0 };
  const reader = createChunkReader(countAndHash(source, hash, { maxBytes, minBytes }, count));
  try {
    if (minBytes >= longBytes && minBytes <= maxBytes) {
      await stored.putStream(key, reader.rest(), { minBytes });
    } else {
      const beginning = [await readBeginning(reader, heldBytes)];
      if (count.bytes < heldBytes)
        return { hash: hash.digest('hex'), bytes: count.bytes, held: beginning[0]!, key: null };
      await stored.putStream(key, resume(beginning, reader));
    }
    return { hash: hash.digest('hex'), bytes: count.bytes, held: null, key };
  } catch (error) {
    source.destroy();
    throw error;
  }
}
