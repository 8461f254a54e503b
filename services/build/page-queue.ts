import type { PlannedPage } from './render/protocol.ts';

/** The pages that lanes take batches from. Pages that a lane returned come first. */
export interface PageQueue {
  /** Returns at most `count` pages and removes them; an empty list if the queue is empty or has been stopped. */
  take(count: number): readonly PlannedPage[] | Promise<readonly PlannedPage[]>;
  /** Puts pages that were not rendered back at the start. */
  putBack(own: readonly PlannedPage[]): void;
  /** Ends the queue, because the build has failed. */
  stop(): void;
  /** Returns the number of pages in the queue. */
  left(): number;
}

/** Creates the queue of a build in one worker. */
export function createPageQueue(pages: readonly PlannedPage[]): PageQueue {
  let next = 0;
  let returned: readonly PlannedPage[] = [];
  let isStopped = false;
  return {
    take(count) {
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
    putBack(own) {
      returned = [...own, ...returned];
    },
    stop() {
      isStopped = true;
    },
    left: () => (isStopped ? 0 : pages.length - next + returned.length),
  };
}
