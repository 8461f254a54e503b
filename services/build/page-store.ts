import { packBytes } from '../engines/objects/pack.ts';
import type { HashedPlace, ObjectStore } from '../engines/objects/store.ts';
import type { FinishedPage } from './finish-page.ts';

/** A finished page whose bytes are stored. */
export interface StoredPage extends Pick<FinishedPage, 'type' | 'policy'> {
  place: HashedPlace;
}

/** A little less than a pack, so that the pages of one batch more still fit. */
const batchBytes = packBytes - 512 * 1024;

/** Reads that are different for every page; the others are the same texts on many pages. */
const ownReads = /^(?:plan|item|translations):/;

export type PageStore = ReturnType<typeof createPageStore>;

/**
 * Stores finished pages in batches while others are rendered, so that a large site is never completely in memory: at most
 * one batch is being stored while the next one is collected.
 */
export function createPageStore(objects: Pick<ObjectStore, 'putMany'>) {
  const pages = new Map<string, StoredPage>();
  const reads = new Map<string, { reads: string[] }>();
  let waiting: FinishedPage[] = [];
  let waitingBytes = 0;
  /** The batch that is being stored. */
  let storing: Promise<void> = Promise.resolve();
  const texts = new Map<string, string>();

  /** Returns one text for all equal ones, since texts from a renderer or the database share no memory. */
  function share(text: string): string {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, text);
    return text;
  }

  /** Stores the pending pages. */
  async function store(): Promise<void> {
    const batch = waiting;
    waiting = [];
    waitingBytes = 0;
    const places = await objects.putMany(batch.map(({ data }) => data));
    for (const [n, { path, type, policy }] of batch.entries()) {
      const place = places[n]!;
      pages.set(path, { type, policy, place: { ...place, key: share(place.key) } });
    }
  }

  return {
    add(page: FinishedPage): void {
      waiting.push(page);
      reads.set(page.path, { reads: page.reads.map((key) => (ownReads.test(key) ? key : share(key))) });
      waitingBytes += page.data.length;
    },
    /**
     * Starts to store the pending pages if they fill a batch; resolves when no earlier batch is being stored. Throws the
     * error of an earlier batch.
     */
    async flush(): Promise<void> {
      if (waitingBytes < batchBytes) return;
      await storing;
      if (waitingBytes < batchBytes) return; // another renderer's pages filled the batch, and it has been started
      storing = store();
      storing.catch(() => undefined); // thrown by the next call
    },
    /** Stores the last pages. */
    async finish(): Promise<void> {
      await storing;
      await store();
    },
    /** What each page read, by path; complete after `finish`, as are the pages. */
    reads: reads as ReadonlyMap<string, { reads: string[] }>,
    /** The stored pages by path; complete after `finish`. */
    pages: pages as ReadonlyMap<string, StoredPage>,
  };
}
