import { LRUCache } from 'lru-cache';
import { countFiles, findChunks, readManifestTree, readTraceTree } from '../../build/format.ts';
import type { BaseRelease } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import { MissingObject, type ObjectStore } from '../../engines/objects/store.ts';

/** Maximum number of files of all cached releases together: about 300 MB, for few large or many small sites. */
const maxFiles = 200_000;

/** Where releases are stored. */
type ReleaseObjects = Pick<ObjectStore, 'getBytes'>;

/** Returns the hashes of a document and, if it is a root, of its chunks. */
async function hashesOfDocument(objects: ReleaseObjects, hash: string): Promise<string[]> {
  try {
    return [hash, ...findChunks(await objects.getBytes(hash))];
  } catch (error) {
    if (error instanceof MissingObject) return [hash];
    throw error;
  }
}

export type ReleaseReader = ReturnType<typeof createReleaseReader>;

/**
 * Creates a reader of releases by id that caches the latest ones; releases never change. `lost` collects the hashes of documents that
 * may be lost, until a build has stored its own.
 */
export function createReleaseReader(db: Db, objects: ReleaseObjects) {
  const lost = new Set<string>();
  const cache = new LRUCache<string, BaseRelease>({
    maxSize: maxFiles,
    sizeCalculation: ({ manifest }) => 1 + countFiles(manifest),
  });

  /** Reads a document of a release. Returns null if it, or one of its chunks, is lost. */
  async function readUnlessLost<T>(read: (objects: ReleaseObjects, hash: string) => Promise<T>, hash: string) {
    try {
      return await read(objects, hash);
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      for (const each of await hashesOfDocument(objects, hash)) lost.add(each);
      return null;
    }
  }

  return {
    lost,
    remember: (release: BaseRelease) => cache.set(release.id, release),
    /**
     * Returns null when the release no longer exists, or its manifest is lost. A lost trace is as useful as that of another version:
     * all pages are rendered.
     */
    async read(id: string): Promise<BaseRelease | null> {
      const known = cache.get(id);
      if (known) return known;
      const [row] = await db.query<{ manifest_hash: string; trace_hash: string }>(
        'SELECT manifest_hash, trace_hash FROM releases WHERE id = $1',
        [id],
      );
      if (!row) return null;
      const [manifest, trace] = await Promise.all([
        readUnlessLost(readManifestTree, row.manifest_hash),
        readUnlessLost(readTraceTree, row.trace_hash),
      ]);
      if (!manifest) return null;
      const release = { id, manifest, trace: trace ?? { version: '', tree: { bits: 0, leaves: [] } } };
      cache.set(id, release);
      return release;
    },
  };
}
