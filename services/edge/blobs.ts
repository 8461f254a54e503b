import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../core/single-flight.ts';
import type { Coding } from './encoding.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Above this size, speed matters more than quality: the first visitor waits for the compression. */
const largeBodyBytes = 512 * 1024;

/** Compresses a body. Quality depends only on the size, so every replica produces the same bytes for the same ETag. */
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

/** Counters of the cache since the process started, for the metrics. */
export interface BlobCounts {
  hits: number;
  misses: number;
  cachedBytes: number;
}

export type BlobCache = ReturnType<typeof createBlobCache>;

/**
 * Creates a cache of bodies by hash and coding that uses at most `maxBytes`; concurrent requests for one missing body
 * cause one read.
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
    /**
     * Returns the body in this coding: synchronously from memory, otherwise after one read (and compression). Rejects
     * when `read` rejects.
     */
    get,
    counts: (): BlobCounts => ({ hits, misses, cachedBytes: bodies.calculatedSize }),
  };
}
