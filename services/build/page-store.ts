import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { FinishedPage } from './finish-page.ts';

/** A finished page whose bytes are stored. */
export interface StoredPage extends Pick<FinishedPage, 'type' | 'policy'> {
  place: HashedPlace;
}

/** Two packs: large enough that few objects are written, small enough for a worker that builds several sites. */
const batchBytes = 16 * 1024 * 1024;

export type PageStore = ReturnType<typeof createPageStore>;

/** Stores finished pages in batches while others are rendered, so that a large site is never completely in memory. */
export function createPageStore(objects: Pick<ObjectStore, 'putMany'>) {
  const pages = new Map<string, StoredPage>();
  const reads = new Map<string, string[]>();
  let waiting: FinishedPage[] = [];
  let waitingBytes = 0;

  /** Stores the pending pages. */
  async function store(): Promise<void> {
    const batch = waiting;
    waiting = [];
    waitingBytes = 0;
    const places = await objects.putMany(batch.map(({ data }) => data));
    for (const [n, { path, type, policy }] of batch.entries()) pages.set(path, { type, policy, place: places[n]! });
  }

  return {
    add(page: FinishedPage): void {
      waiting.push(page);
      reads.set(page.path, page.reads);
      waitingBytes += page.data.length;
    },
    /** Stores the pending pages if they fill a batch. */
    async flush(): Promise<void> {
      if (waitingBytes >= batchBytes) await store();
    },
    /** Stores the last pages. */
    finish: store,
    /** What each page read, by path. */
    reads: reads as ReadonlyMap<string, string[]>,
    /** The stored pages by path; complete after `finish`. */
    pages: pages as ReadonlyMap<string, StoredPage>,
  };
}
