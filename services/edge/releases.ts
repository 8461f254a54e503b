import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  type Manifest,
  type ManifestFile,
  type ManifestHead,
  type ManifestRoot,
  type Resolved,
  resolvePath,
} from '../build/format.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import { type ChunkReader, createChunkCache, createChunkReader, readAhead, wholeManifest } from './manifest-chunks.ts';
import { type Audience, prepareFile, type ServedFile } from './served-file.ts';

/** What a path of a release resolves to, ready to be sent. */
export type Destination =
  | { kind: 'file'; file: ServedFile }
  | { kind: 'redirect'; to: string; status: number }
  | { kind: 'not_found'; page: ManifestFile | null };

/**
 * One immutable release. A request is resolved in exactly one release, so that a visitor never sees a mixture of two.
 */
export interface Release {
  /** Resolves synchronously if the part of the manifest with this path is in memory. Rejects when it cannot be read. */
  resolve(path: string, simple: boolean): Destination | Promise<Destination>;
}

/** Reads a body from the object store. */
export type ReadBody = (place: HashedPlace) => Promise<Buffer>;

/** Destinations that a release keeps; they are forgotten when there are more. */
const maxKnown = 4096;

/** The manifest of a release without its files, and how to find them. */
interface Contents {
  head: ManifestHead;
  chunks: ChunkReader;
}

/**
 * Wraps a manifest. Results for paths without escapes are cached with everything that their response needs. Unknown
 * paths are not cached.
 */
function createRelease({ head, chunks }: Contents, audience: Audience, readBody: ReadBody): Release {
  const known = new Map<string, Destination>();

  function prepare(file: ManifestFile): Destination {
    const read = () => readBody(file);
    return { kind: 'file', file: prepareFile({ ...file, place: file, read, uploaded: file.immutable }, audience) };
  }

  function toDestination(found: Resolved, path: string, simple: boolean): Destination {
    if (found.kind === 'not_found') return { kind: 'not_found', page: found.file };
    const destination = found.kind === 'file' ? prepare(found.file) : found;
    if (known.size >= maxKnown) known.clear();
    if (simple) known.set(path, destination);
    return destination;
  }

  return {
    resolve(path, simple) {
      const hit = known.get(path);
      if (hit) return hit;
      const found = chunks.withChunks((chunkAt) => resolvePath(head, chunkAt, path));
      if (found instanceof Promise) return found.then((resolved) => toDestination(resolved, path, simple));
      return toDestination(found, path, simple);
    },
  };
}

/** Memory that a document uses, as a multiple of its JSON. */
const weightFactor = 4;
const maxRememberedSites = 10_000;
const patienceMs = 1000;

interface ReleaseDeps {
  maxBytes: number;
  readManifest: (hash: string) => Promise<Buffer>;
  readBody: ReadBody;
  /** Called when a site is served from another release than before. */
  onSwap: () => void;
}

export type ReleaseCache = ReturnType<typeof createReleaseCache>;

/**
 * Creates a cache of releases by manifest hash, with bounded memory; concurrent requests for a new one cause one read.
 */
export function createReleaseCache(deps: ReleaseDeps) {
  const maxBytes = Math.floor(deps.maxBytes / 2);
  const releases = new LRUCache<string, Release>({ maxSize: maxBytes });
  const loaded = createChunkCache(maxBytes, weightFactor, deps.readBody);
  const once = createSingleFlight<Release>();
  const lastServed = new LRUCache<string, string>({ max: maxRememberedSites });

  async function load(key: string, hash: string, audience: Audience): Promise<Release> {
    const bytes = await deps.readManifest(hash);
    const document = JSON.parse(bytes.toString('utf8')) as Manifest | ManifestRoot;
    if (document.format === 2) await readAhead(document, loaded);
    const chunks = document.format === 2 ? createChunkReader(document, loaded) : wholeManifest(document);
    const release = createRelease({ head: document, chunks }, audience, deps.readBody);
    // keep even a manifest larger than the whole memory, or every request would read it again
    releases.set(key, release, { size: Math.min(bytes.length * weightFactor, Math.floor(maxBytes / 2)) });
    return release;
  }

  function get(hash: string, audience: Audience): Release | Promise<Release> {
    const key = `${audience}:${hash}`;
    return releases.get(key) ?? once(key, () => load(key, hash, audience));
  }

  function noteServed(siteId: string, hash: string): void {
    const before = lastServed.get(siteId);
    if (before === hash) return;
    lastServed.set(siteId, hash);
    if (before !== undefined) deps.onSwap();
  }

  /** Serves the previous release, which is complete, while the new one fails or takes too long to load. */
  async function getLiveSlowly(siteId: string, hash: string, release: Promise<Release>): Promise<Release> {
    const before = releases.get(`public:${lastServed.get(siteId)}`);
    const loaded = release.then((found) => {
      noteServed(siteId, hash);
      return found;
    });
    if (!before) return loaded;
    const timer = new AbortController();
    const late = sleep(patienceMs, before, { signal: timer.signal }).catch(() => before);
    return Promise.race([loaded.catch(() => before), late]).finally(() => timer.abort());
  }

  return {
    /**
     * Returns the release synchronously when it is in memory, otherwise after reading it. Rejects when it cannot be
     * read.
     */
    get,
    /** Returns the live release of a site, or the one served last while the object store does not respond. */
    getLive(siteId: string, hash: string): Release | Promise<Release> {
      const release = get(hash, 'public');
      if (release instanceof Promise) return getLiveSlowly(siteId, hash, release);
      noteServed(siteId, hash);
      return release;
    },
  };
}
