import { LRUCache } from 'lru-cache';
import type { ManifestChunk } from '../build/format.ts';
import { createFairQueue } from '../core/fair-queue.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import type { ReadGuarded } from './damage.ts';

/** A part of a manifest: a chunk, or all files of a manifest that is one document. */
export interface Part {
  hash: string;
  /** Reads its JSON. */
  read(): Promise<Buffer>;
}

/**
 * Parts that one process reads at the same time, of all manifests and of one, and those that may wait: a flood of unknown paths
 * needs many.
 */
const readsAtOnce = 16;
const readsOfOneManifest = 8;
const maxWaitingReads = 1000;
/** The share of the memory for parts in which visitors found no file yet. */
const triedShare = 1 / 8;

interface PartCacheOptions {
  maxBytes: number;
  /** Memory that a part uses, as a multiple of its JSON. */
  weightFactor: number;
  readGuarded: ReadGuarded;
}

export type PartCache = ReturnType<typeof createPartCache>;

/**
 * Creates the cache of the parts of all manifests, by hash, with bounded memory. Concurrent requests for a part cause one
 * read. A part that was read for a visitor counts as used when a visitor finds a file in it; the others have a small memory of their
 * own, so that a flood of unknown paths of one site does not evict what visitors of other sites use.
 */
export function createPartCache({ maxBytes, weightFactor, readGuarded }: PartCacheOptions) {
  const triedBytes = Math.floor(maxBytes * triedShare);
  const tried = new LRUCache<string, { content: ManifestChunk; jsonBytes: number }>({ maxSize: triedBytes });
  const used = new LRUCache<string, ManifestChunk>({ maxSize: maxBytes - triedBytes });
  const once = createSingleFlight<ManifestChunk>();
  const queue = createFairQueue({ capacity: readsAtOnce, share: readsOfOneManifest, maxWaiting: maxWaitingReads });

  /** Returns the weight of a part; even one larger than the whole memory fits beside another, or every request would read it again. */
  const weigh = (jsonBytes: number, { maxSize }: { maxSize: number }) =>
    Math.min(jsonBytes * weightFactor, Math.floor(maxSize / 2));

  function keep(hash: string, content: ManifestChunk, jsonBytes: number): void {
    used.set(hash, content, { size: weigh(jsonBytes, used) });
  }

  /** Counts a part as used. */
  function noteUse(hash: string): void {
    const found = tried.get(hash);
    if (!found) return void used.get(hash);
    tried.delete(hash);
    keep(hash, found.content, found.jsonBytes);
  }

  async function read({ hash, read: readJson }: Part): Promise<ManifestChunk> {
    const { document, jsonBytes } = await readGuarded<ManifestChunk>(hash, readJson);
    tried.set(hash, { content: document, jsonBytes }, { size: weigh(jsonBytes, tried) });
    return document;
  }

  return {
    get: (hash: string) => used.peek(hash) ?? tried.get(hash)?.content,
    keep,
    noteUse,
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
