import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { FinishedPage } from './finish-page.ts';

/** A finished page whose bytes are stored. */
export interface StoredPage extends Pick<FinishedPage, 'type' | 'policy'> {
  place: HashedPlace;
}

/** Two packs: large enough that few objects are written, small enough for the memory of a worker that builds several sites. */
const batchBytes = 16 * 1024 * 1024;

export type PageStore = ReturnType<typeof createPageStore>;

/** Stores finished pages, many at a time, while others are still being made: a large site never lies in memory whole. */
export function createPageStore(objects: Pick<ObjectStore, 'putMany'>) {
  const pages = new Map<string, StoredPage>();
  const reads = new Map<string, string[]>();
  let waiting: FinishedPage[] = [];
  let waitingBytes = 0;

  /** Stores what waits together with these files, and answers the places of the files. */
  async function store(files: readonly Buffer[]): Promise<HashedPlace[]> {
    const batch = waiting;
    waiting = [];
    waitingBytes = 0;
    const places = await objects.putMany([...batch.map(({ data }) => data), ...files]);
    for (const [n, { path, type, policy }] of batch.entries()) pages.set(path, { type, policy, place: places[n]! });
    return places.slice(batch.length);
  }

  return {
    add(page: FinishedPage): void {
      waiting.push(page);
      reads.set(page.path, page.reads);
      waitingBytes += page.data.length;
    },
    /** Stores what waits when it is enough to be worth it. */
    async flush(): Promise<void> {
      if (waitingBytes >= batchBytes) await store([]);
    },
    /** Stores the last pages with the files of the release that are no pages; answers the places of those. */
    finish: store,
    /** What each page has read, by path. */
    reads: reads as ReadonlyMap<string, string[]>,
    /** What is stored, by path; complete after `finish`. */
    pages: pages as ReadonlyMap<string, StoredPage>,
  };
}
