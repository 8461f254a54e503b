import type { PlannedPage } from './render/protocol.ts';

/** Creates the queue of pages that lanes take batches from. Pages that a lane returned come first. */
export function createPageQueue(pages: readonly PlannedPage[]) {
  let next = 0;
  let returned: readonly PlannedPage[] = [];
  let isStopped = false;
  return {
    /** Returns at most `count` pages and removes them; an empty list once the queue has been stopped. */
    take(count: number): readonly PlannedPage[] {
      if (isStopped) return [];
      if (returned.length > 0) {
        const batch = returned.slice(0, count);
        returned = returned.slice(count);
        return batch;
      }
      const batch = pages.slice(next, next + count);
      next += batch.length;
      return batch;
    },
    /** Puts pages that were not rendered back at the start. */
    putBack(own: readonly PlannedPage[]): void {
      returned = [...own, ...returned];
    },
    /** Ends the queue, because the build has failed. */
    stop(): void {
      isStopped = true;
    },
    /** Returns the number of pages in the queue. */
    left: (): number => (isStopped ? 0 : pages.length - next + returned.length),
  };
}

export type PageQueue = ReturnType<typeof createPageQueue>;
