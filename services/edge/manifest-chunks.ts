import { LRUCache } from 'lru-cache';
import { chunkOf, type FindChunk, type ManifestChunk, type ManifestRoot, placeOfChunk } from '../build/format.ts';
import { createFairQueue } from '../core/fair-queue.ts';
import { inParallel } from '../core/in-parallel.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import { type HashedPlace, MissingObject } from '../engines/objects/store.ts';
import { SourceUnavailable } from './fresh-cache.ts';

/** A part of a manifest: a chunk, or all files of a manifest that is one document. */
export interface Part {
  hash: string;
  /** Reads its JSON. */
  read(): Promise<Buffer>;
}

/** How a manifest is read part by part. */
export interface ManifestParts {
  /** The hash of the manifest. Parts of different manifests are read in turns. */
  manifest: string;
  /** Returns the part with the files at a path; undefined if the release has none there. */
  partAt(path: string): Part | undefined;
}

/** Returns the parts of a manifest that is one document. */
export function wholeManifest(manifest: string, read: (hash: string) => Promise<Buffer>): ManifestParts {
  const part = { hash: manifest, read: () => read(manifest) };
  return { manifest, partAt: () => part };
}

type ReadChunk = (place: HashedPlace) => Promise<Buffer>;

function toPart(place: HashedPlace, read: ReadChunk): Part {
  return { hash: place.hash, read: () => read(place) };
}

/** Returns the parts of a manifest in chunks. */
export function chunkedManifest(manifest: string, { bits, chunks }: ManifestRoot, read: ReadChunk): ManifestParts {
  return {
    manifest,
    partAt(path) {
      const ref = chunks[chunkOf(path, bits)];
      return ref ? toPart(placeOfChunk(ref), read) : undefined;
    },
  };
}

/** Parts that one process reads at the same time, and those that may wait: a flood of unknown paths needs many. */
const readsAtOnce = 16;
const maxWaitingReads = 1000;
const maxReported = 1000;

interface PartCacheOptions {
  maxBytes: number;
  /** Memory that a part uses, as a multiple of its JSON. */
  weightFactor: number;
  /** Called once for each part that is lost or damaged. */
  onDamage(error: unknown, hash: string): void;
}

export type PartCache = ReturnType<typeof createPartCache>;

/**
 * Creates the cache of the parts of all manifests, by hash, with bounded memory. Concurrent requests for a part cause one
 * read.
 */
export function createPartCache({ maxBytes, weightFactor, onDamage }: PartCacheOptions) {
  const parts = new LRUCache<string, ManifestChunk>({ maxSize: maxBytes });
  const once = createSingleFlight<ManifestChunk>();
  const queue = createFairQueue({ capacity: readsAtOnce, maxWaiting: maxWaitingReads });
  const reported = new LRUCache<string, true>({ max: maxReported });

  function keep(hash: string, content: ManifestChunk, jsonBytes: number): void {
    // keep even a part larger than the whole memory, or every request would read it again
    parts.set(hash, content, { size: Math.min(Math.max(1, jsonBytes * weightFactor), maxBytes) });
  }

  async function read({ hash, read: readJson }: Part): Promise<ManifestChunk> {
    try {
      const bytes = await readJson();
      const content = JSON.parse(bytes.toString('utf8')) as ManifestChunk;
      keep(hash, content, bytes.length);
      return content;
    } catch (error) {
      if (!(error instanceof MissingObject) && !(error instanceof SyntaxError)) throw error;
      if (!reported.has(hash)) onDamage(error, hash);
      reported.set(hash, true);
      throw new SourceUnavailable(error);
    }
  }

  return {
    get: (hash: string) => parts.get(hash),
    keep,
    /** Rejects with SourceUnavailable when the part is lost or damaged, and with a Problem `unavailable`. */
    load: (manifest: string, part: Part): Promise<ManifestChunk> =>
      once(part.hash, async () => {
        const turn = queue.enter(manifest, 1);
        try {
          await turn.ready;
          return await read(part);
        } finally {
          turn.end();
        }
      }),
  };
}

/**
 * Chunks that are read before a visitor needs them. After a swap, only those that changed are read: then the new release is
 * served as completely as the earlier one, also if the store stops responding. Further ones are read when needed.
 */
const maxReadAhead = 64;
/** Fewer than `readsAtOnce`, so that visitors of the release do not wait behind them. */
const readAheadAtOnce = 8;

/** Reads the chunks of a manifest that are not in memory, unless there are many. Never rejects. */
export async function readAhead(
  manifest: string,
  { chunks }: ManifestRoot,
  cache: PartCache,
  read: ReadChunk,
): Promise<void> {
  const missing = chunks.filter((ref) => ref !== null && !cache.get(ref[0])) as NonNullable<(typeof chunks)[number]>[];
  if (missing.length > maxReadAhead) return;
  await inParallel(missing, readAheadAtOnce, (ref) =>
    // a request that needs the chunk reads it again, and reports the error
    cache.load(manifest, toPart(placeOfChunk(ref), read)).catch(() => undefined),
  );
}

/** Reads the parts of one manifest that a request needs. */
export interface PartReader {
  /**
   * Returns the result of `work`: synchronously if every part that it needs is in memory, otherwise after reading them
   * (`work` then runs again). Rejects when a part cannot be read.
   */
  withParts<T>(work: (chunkAt: FindChunk) => T): T | Promise<T>;
}

export function createPartReader({ manifest, partAt }: ManifestParts, cache: PartCache): PartReader {
  /** Runs the work with what is in memory and in `held`; returns a part that it lacked, if any. */
  function attempt<T>(work: (chunkAt: FindChunk) => T, held: ReadonlyMap<string, ManifestChunk>) {
    let missing: Part | null = null;
    const result = work((path) => {
      const part = partAt(path);
      if (!part) return undefined;
      const content = held.get(part.hash) ?? cache.get(part.hash);
      if (!content) missing ??= part;
      return content;
    });
    return { result, missing: missing as Part | null };
  }

  async function read<T>(work: (chunkAt: FindChunk) => T, first: Part): Promise<T> {
    const held = new Map<string, ManifestChunk>();
    for (let next = first; ; ) {
      held.set(next.hash, await cache.load(manifest, next));
      const { result, missing } = attempt(work, held);
      if (!missing) return result;
      next = missing;
    }
  }

  return {
    withParts(work) {
      const { result, missing } = attempt(work, new Map());
      return missing ? read(work, missing) : result;
    },
  };
}
