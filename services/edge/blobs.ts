import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../core/single-flight.ts';
import type { Coding } from './encoding.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Above this, quality gives way to speed: a first visitor waits for the compression. */
const largeBodyBytes = 512 * 1024;

/**
 * Compresses a body. Quality depends on the size alone, so that every replica makes the same bytes for the same ETag.
 */
async function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  const large = body.length > largeBodyBytes;
  if (coding === 'gzip') return compressGzip(body, { level: large ? 4 : 7 });
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: large ? 4 : 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  });
}

/** What the cache did since the process began; the metrics read it. */
export interface BlobCounts {
  hits: number;
  misses: number;
  cachedBytes: number;
}

export type BlobCache = ReturnType<typeof createBlobCache>;

/**
 * Bodies by hash and coding in a memory of at most `maxBytes`; many requests for one missing body cause one read.
 */
export function createBlobCache(maxBytes: number) {
  const bodies = new LRUCache<string, Buffer>({
    maxSize: maxBytes,
    sizeCalculation: (body, key) => body.length + key.length + 200,
  });
  const once = createSingleFlight<Buffer>();
  let hits = 0;
  let misses = 0;

  type Read = () => Promise<Buffer>;

  function get(hash: string, coding: Coding, read: Read): Buffer | Promise<Buffer> {
    const key = coding === 'identity' ? hash : `${hash}.${coding}`;
    const cached = bodies.get(key);
    if (cached) {
      hits++;
      return cached;
    }
    return once(key, async () => {
      misses++;
      const body = await make(hash, coding, read);
      bodies.set(key, body);
      return body;
    });
  }

  async function make(hash: string, coding: Coding, read: Read): Promise<Buffer> {
    return coding === 'identity' ? read() : compress(await get(hash, 'identity', read), coding);
  }

  return {
    /** The body in this coding: at once from memory, else read (and compressed) once. Rejects as `read` does. */
    get,
    counts: (): BlobCounts => ({ hits, misses, cachedBytes: bodies.calculatedSize }),
  };
}
