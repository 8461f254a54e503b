import { chunkOf, type FindChunk, type ManifestChunk, type ManifestRoot, placeOfChunk } from '../build/format.ts';
import { inParallel } from '../core/in-parallel.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import type { Part, PartCache } from './part-cache.ts';

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

/**
 * Chunks that are read before a visitor needs them. After a swap, only those that changed are read: then the new release is
 * served as completely as the earlier one, also if the store stops responding. Further ones are read when needed.
 */
const maxReadAhead = 64;
/** Fewer than the part cache reads of one manifest, so that visitors of the release do not wait behind them. */
const readAheadAtOnce = 4;

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
    cache.load(manifest, toPart(placeOfChunk(ref), read)).then(
      () => cache.noteUse(ref[0]),
      () => undefined, // a request that needs the chunk reads it again, and reports the error
    ),
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
      else if (Object.hasOwn(content.files, path)) cache.noteUse(part.hash);
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
