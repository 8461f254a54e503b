import { LRUCache } from 'lru-cache';
import type { Db } from '../../../core/db.ts';
import type { ObjectStore } from '../../../engines/objects/store.ts';
import type { Manifest } from '../manifest.ts';
import type { Trace } from './trace.ts';

/** A release that a build may take pages from. */
export interface BaseRelease {
  id: string;
  manifest: Manifest;
  trace: Trace;
}

const maxReleases = 24;

/** Reads releases by id and remembers the latest ones: they never change. */
export function createReleaseReader(db: Db, objects: ObjectStore) {
  const cache = new LRUCache<string, BaseRelease>({ max: maxReleases });

  async function readJson<T>(hash: string): Promise<T> {
    return JSON.parse((await objects.getBytes(hash)).toString('utf8')) as T;
  }

  return {
    remember: (release: BaseRelease) => cache.set(release.id, release),
    /** Null when the release is gone. */
    async read(id: string): Promise<BaseRelease | null> {
      const known = cache.get(id);
      if (known) return known;
      const [row] = await db.query<{ manifest_hash: string; trace_hash: string }>(
        'SELECT manifest_hash, trace_hash FROM releases WHERE id = $1',
        [id],
      );
      if (!row) return null;
      const [manifest, trace] = await Promise.all([
        readJson<Manifest>(row.manifest_hash),
        readJson<Trace>(row.trace_hash),
      ]);
      const release = { id, manifest, trace };
      cache.set(id, release);
      return release;
    },
  };
}

export type ReleaseReader = ReturnType<typeof createReleaseReader>;
