import type { PageQueue } from '../page-queue.ts';
import { createPageStore, type PageStore } from '../page-store.ts';
import type { PlannedPage } from '../render/protocol.ts';

/** A shard that this worker renders. */
export interface OpenShard {
  number: number;
  pages: readonly PlannedPage[];
  /** Its finished pages. */
  store: PageStore;
  /** Number of pages that are not rendered yet. */
  left: number;
}

/** The pages of a build in shards: shard `n` has the pages from `n * shardPages`. */
export interface DividedPages {
  pages: readonly PlannedPage[];
  shardPages: number;
}

/** Returns the number of shards. */
export const countShards = ({ pages, shardPages }: DividedPages): number => Math.ceil(pages.length / shardPages);

/**
 * Creates the queue of pages of the shards that this worker takes: when lanes have taken the pages of one, it takes the
 * next. `takeShard` returns the number of a shard that this worker then renders; null to end.
 */
export function createShardQueue(
  { pages, shardPages }: DividedPages,
  objects: Parameters<typeof createPageStore>[0],
  takeShard: () => Promise<number | null>,
) {
  const shards = countShards({ pages, shardPages });
  const owners = new Map<PlannedPage, OpenShard>();
  const open = new Set<OpenShard>();
  let ready: PlannedPage[] = [];
  let unseen = shards;
  let isOver = false;
  /** Several lanes may find the queue empty at the same time. */
  let taking: Promise<void> | null = null;

  async function takeNext(): Promise<void> {
    const number = await takeShard();
    if (number === null) {
      isOver = true;
      return;
    }
    unseen = shards - 1 - number;
    const own = pages.slice(number * shardPages, (number + 1) * shardPages);
    const shard = { number, pages: own, store: createPageStore(objects), left: own.length };
    open.add(shard);
    for (const page of own) {
      owners.set(page, shard);
      ready.push(page);
    }
  }

  const queue: PageQueue = {
    async take(count) {
      while (ready.length === 0 && !isOver) {
        taking ??= takeNext().finally(() => {
          taking = null;
        });
        await taking;
      }
      if (isOver && ready.length === 0) return [];
      const batch = ready.slice(0, count);
      ready = ready.slice(count);
      return batch;
    },
    putBack(own) {
      ready = [...own, ...ready];
    },
    stop() {
      isOver = true;
      ready = [];
    },
    // an estimate, because other workers take shards too
    left: () => ready.length + (isOver ? 0 : unseen * shardPages),
  };

  return {
    queue,
    /** Returns the shard of a page that is not rendered yet. */
    ownerOf: (page: PlannedPage): OpenShard => owners.get(page)!,
    /** The shards whose pages are being rendered. */
    open: open as ReadonlySet<OpenShard>,
    /** Removes the shards that are rendered, and returns them. */
    takeRendered(): OpenShard[] {
      const rendered = [...open].filter(({ left }) => left === 0);
      for (const shard of rendered) {
        open.delete(shard);
        // otherwise their finished pages would stay in memory
        for (const page of shard.pages) owners.delete(page);
      }
      return rendered;
    },
  };
}
