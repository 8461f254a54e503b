import { LRUCache } from 'lru-cache';
import type { ManifestChunk } from '../build/format.ts';
import { createFairQueue } from '../core/fair-queue.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import { MissingObject } from '../engines/objects/store.ts';
import { SourceUnavailable } from './fresh-cache.ts';

/** A part of a manifest: a chunk, or all files of a manifest that is one document. */
export interface Part {
  hash: string;
  /** Reads its JSON. */
  read(): Promise<Buffer>;
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
    // keep even a part larger than the whole memory beside others, or every request would read one of them again
    parts.set(hash, content, { size: Math.min(jsonBytes * weightFactor, Math.floor(maxBytes / 2)) });
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
