import { LRUCache } from 'lru-cache';
import { countFiles, type ReadBytes, readManifestTree, readTraceTree } from '../../build/format.ts';
import type { BaseRelease } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import { MissingObject } from '../../engines/objects/store.ts';

/** Maximum number of files of all cached releases together: about 300 MB, for few large or many small sites. */
const maxFiles = 200_000;

/** Reads a trace. A lost one is as useful as that of another version: all pages are rendered. */
function readTrace(objects: ReadBytes, hash: string): Promise<BaseRelease['trace']> {
  return readTraceTree(objects, hash).catch((error: unknown) => {
    if (error instanceof MissingObject) return { version: '', tree: { bits: 0, leaves: [] } };
    throw error;
  });
}

export type ReleaseReader = ReturnType<typeof createReleaseReader>;

/** Creates a reader of releases by id that caches the latest ones; releases never change. */
export function createReleaseReader(db: Db, objects: ReadBytes) {
  const cache = new LRUCache<string, BaseRelease>({
    maxSize: maxFiles,
    sizeCalculation: ({ manifest }) => 1 + countFiles(manifest),
  });

  return {
    remember: (release: BaseRelease) => cache.set(release.id, release),
    /** Returns null when the release no longer exists. */
    async read(id: string): Promise<BaseRelease | null> {
      const known = cache.get(id);
      if (known) return known;
      const [row] = await db.query<{ manifest_hash: string; trace_hash: string }>(
        'SELECT manifest_hash, trace_hash FROM releases WHERE id = $1',
        [id],
      );
      if (!row) return null;
      const [manifest, trace] = await Promise.all([
        readManifestTree(objects, row.manifest_hash),
        readTrace(objects, row.trace_hash),
      ]);
      const release = { id, manifest, trace };
      cache.set(id, release);
      return release;
    },
  };
}
