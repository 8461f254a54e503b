import { LRUCache } from 'lru-cache';
import {
  chunkOf,
  type FindChunk,
  type Manifest,
  type ManifestChunk,
  type ManifestRoot,
  placeOfChunk,
} from '../build/format.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import type { HashedPlace } from '../engines/objects/store.ts';

/** Reads the parts of one manifest that a request needs. */
export interface ChunkReader {
  /**
   * Returns the result of `work`: synchronously if every chunk that it needs is in memory, otherwise after reading them
   * (`work` then runs again). Rejects when a chunk cannot be read.
   */
  withChunks<T>(work: (chunkAt: FindChunk) => T): T | Promise<T>;
}

/** Returns the reader of a manifest that is one document. */
export function wholeManifest(manifest: Manifest): ChunkReader {
  return { withChunks: (work) => work(() => manifest) };
}

export type ChunkCache = ReturnType<typeof createChunkCache>;

/**
 * Creates the cache of chunks of all releases, by hash, with bounded memory: a chunk uses `weightFactor` times the size of
 * its JSON. Concurrent requests for a chunk cause one read.
 */
export function createChunkCache(
  maxBytes: number,
  weightFactor: number,
  read: (place: HashedPlace) => Promise<Buffer>,
) {
  const chunks = new LRUCache<string, ManifestChunk>({ maxSize: maxBytes });
  const once = createSingleFlight<ManifestChunk>();
  return {
    get: (hash: string) => chunks.get(hash),
    load: (place: HashedPlace): Promise<ManifestChunk> =>
      once(place.hash, async () => {
        const bytes = await read(place);
        const chunk = JSON.parse(bytes.toString('utf8')) as ManifestChunk;
        chunks.set(place.hash, chunk, { size: Math.min(bytes.length * weightFactor, maxBytes) });
        return chunk;
      }),
  };
}

/**
 * Chunks that are read before a release is served. After a swap, only those that changed are read: then the new release
 * is served as completely as the earlier one, also if the store stops responding. Further ones are read when needed.
 */
const maxReadAhead = 64;

/** Reads the chunks of a manifest that are not in memory, unless there are many. */
export async function readAhead({ chunks }: ManifestRoot, cache: ChunkCache): Promise<void> {
  const missing = chunks.flatMap((ref) => (ref && !cache.get(ref[0]) ? [placeOfChunk(ref)] : []));
  if (missing.length <= maxReadAhead) await Promise.all(missing.map(cache.load));
}

/** Returns the reader of a manifest in chunks. */
export function createChunkReader({ bits, chunks }: ManifestRoot, cache: ChunkCache): ChunkReader {
  /** Runs the work with what is in memory and in `held`; returns the place of a chunk that it lacked, if any. */
  function attempt<T>(work: (chunkAt: FindChunk) => T, held: ReadonlyMap<string, ManifestChunk>) {
    let missing: HashedPlace | null = null;
    const result = work((path) => {
      const ref = chunks[chunkOf(path, bits)];
      if (!ref) return undefined;
      const chunk = held.get(ref[0]) ?? cache.get(ref[0]);
      if (!chunk) missing ??= placeOfChunk(ref);
      return chunk;
    });
    return { result, missing: missing as HashedPlace | null };
  }

  async function read<T>(work: (chunkAt: FindChunk) => T, first: HashedPlace): Promise<T> {
    const held = new Map<string, ManifestChunk>();
    for (let next = first; ; ) {
      held.set(next.hash, await cache.load(next));
      const { result, missing } = attempt(work, held);
      if (!missing) return result;
      next = missing;
    }
  }

  return {
    withChunks(work) {
      const { result, missing } = attempt(work, new Map());
      return missing ? read(work, missing) : result;
    },
  };
}
