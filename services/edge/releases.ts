import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  headOf,
  type Manifest,
  type ManifestFile,
  type ManifestHead,
  type ManifestRoot,
  type Resolved,
  resolvePath,
} from '../build/format.ts';
import { createSingleFlight } from '../core/single-flight.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import { createDamageGuard } from './damage.ts';
import { chunkedManifest, createPartReader, type PartReader, readAhead, wholeManifest } from './manifest-chunks.ts';
import { createPartCache } from './part-cache.ts';
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

/** Memory that a prepared file uses besides its path, in bytes. */
const destinationBytes = 1024;

/** Creates the cache of destinations of all releases, with bounded memory. */
function createDestinationCache(maxBytes: number) {
  const known = new LRUCache<string, Destination>({
    maxSize: maxBytes,
    sizeCalculation: (_destination, key) => destinationBytes + 2 * key.length,
  });
  let releases = 0;
  return {
    /** Returns the cache for one release, by path. */
    ofRelease() {
      const number = ++releases; // shorter than a hash, because every request needs the key
      return {
        get: (path: string) => known.get(`${number}${path}`),
        set: (path: string, destination: Destination) => void known.set(`${number}${path}`, destination),
      };
    },
  };
}

/** The manifest of a release without its files, and how to find them. */
interface Contents {
  head: ManifestHead;
  parts: PartReader;
  known: ReturnType<ReturnType<typeof createDestinationCache>['ofRelease']>;
}

/**
 * Wraps a manifest. Results for paths without escapes are cached with everything that their response needs. Unknown
 * paths are not cached.
 */
function createRelease({ head, parts, known }: Contents, audience: Audience, readBody: ReadBody): Release {
  function prepare(file: ManifestFile): Destination {
    const read = () => readBody(file);
    return { kind: 'file', file: prepareFile({ ...file, place: file, read, uploaded: file.immutable }, audience) };
  }

  function toDestination(found: Resolved, path: string, simple: boolean): Destination {
    if (found.kind === 'not_found') return { kind: 'not_found', page: found.file };
    const destination = found.kind === 'file' ? prepare(found.file) : found;
    if (simple) known.set(path, destination);
    return destination;
  }

  return {
    resolve(path, simple) {
      const hit = known.get(path);
      if (hit) return hit;
      const found = parts.withParts((chunkAt) => resolvePath(head, chunkAt, path));
      if (found instanceof Promise) return found.then((resolved) => toDestination(resolved, path, simple));
      return toDestination(found, path, simple);
    },
  };
}

/** The shares of the memory: parts of manifests with files; roots; prepared files. */
const shares = { parts: 5 / 8, roots: 2 / 8, destinations: 1 / 8 };
/** Memory that a document uses, as a multiple of its JSON. */
const weightFactor = 4;
const maxRememberedSites = 10_000;
const patienceMs = 1000;

interface ReleaseDeps {
  maxBytes: number;
  readManifest: (hash: string) => Promise<Buffer>;
  readBody: ReadBody;
  /** Called once for each manifest or part of one that is lost or damaged. */
  onDamage: (error: unknown, hash: string) => void;
  /** Called when a site is served from another release than before. */
  onSwap: () => void;
}

export type ReleaseCache = ReturnType<typeof createReleaseCache>;

/**
 * Creates a cache of releases by manifest hash, with bounded memory; concurrent requests for a new one cause one read.
 */
export function createReleaseCache(deps: ReleaseDeps) {
  const share = (part: number) => Math.floor(deps.maxBytes * part);
  const maxRootBytes = share(shares.roots);
  const releases = new LRUCache<string, Release>({ maxSize: maxRootBytes });
  const readGuarded = createDamageGuard(deps.onDamage);
  const parts = createPartCache({ maxBytes: share(shares.parts), weightFactor, readGuarded });
  const destinations = createDestinationCache(share(shares.destinations));
  const once = createSingleFlight<Release>();
  const lastServed = new LRUCache<string, string>({ max: maxRememberedSites });

  async function load(key: string, hash: string, audience: Audience): Promise<Release> {
    const read = await readGuarded<Manifest | ManifestRoot>(hash, () => deps.readManifest(hash));
    const { document } = read;
    const head = headOf(document);
    const isChunked = document.format === 2;
    if (isChunked) void readAhead(hash, document, parts, deps.readBody);
    else parts.keep(hash, document, read.jsonBytes);
    const found = isChunked ? chunkedManifest(hash, document, deps.readBody) : wholeManifest(hash, deps.readManifest);
    const contents = { head, parts: createPartReader(found, parts), known: destinations.ofRelease() };
    const release = createRelease(contents, audience, deps.readBody);
    const jsonBytes = isChunked ? read.jsonBytes : JSON.stringify(head).length;
    // keep even a root larger than the whole memory beside others, or every request would read one of them again
    releases.set(key, release, { size: Math.min(jsonBytes * weightFactor, Math.floor(maxRootBytes / 2)) });
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
     * read: with SourceUnavailable if its manifest is lost or damaged.
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
