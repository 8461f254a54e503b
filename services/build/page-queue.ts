import type { PlannedPage } from './render/protocol.ts';

/** Creates the queue of pages that lanes take batches from. Pages that a lane returned come first. */
export function createPageQueue(pages: readonly PlannedPage[]) {
  let next = 0;
  let returned: readonly PlannedPage[] = [];
  let isStopped = false;
  return {
    /** Returns at most `count` pages and removes them; none once the queue has been stopped. */
    take(count: number): readonly PlannedPage[] {
      if (isStopped) return [];
      if (returned.length > 0) {
        const taken = returned.slice(0, count);
        returned = returned.slice(count);
        return taken;
      }
      const taken = pages.slice(next, next + count);
      next += taken.length;
      return taken;
    },
    /** Takes back pages that were not rendered. */
    giveBack(own: readonly PlannedPage[]): void {
      returned = [...own, ...returned];
    },
    /** From now on nothing is taken: the build has failed. */
    stop(): void {
      isStopped = true;
    },
    /** Returns the number of pages that can be taken. */
    left: (): number => (isStopped ? 0 : pages.length - next + returned.length),
  };
}

export type PageQueue = ReturnType<typeof createPageQueue>;
