import { createFairQueue, takeTurn } from './fair-queue.ts';

/** Maximum concurrency of one kind of work in a process, in total and per owner. */
export interface ShareLimits {
  total: number;
  perOwner: number;
  /** Maximum number of waiting pieces of one owner, and how long each waits. */
  waitingPerOwner: number;
  waitMs: number;
  /** Creates the error for a piece of work that is rejected. */
  refuse: () => Error;
}

export interface Shares {
  /**
   * Runs work of an owner when its turn comes, and resolves or rejects as the work does. Rejects with `refuse()` when
   * too much work of the owner waits or the wait was too long, and with the signal's reason when that is aborted first.
   */
  pass<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Shares a bounded number of slots between owners, who take turns, so that one owner cannot block the others. */
export function createShares({ total, perOwner, waitingPerOwner, waitMs, refuse }: ShareLimits): Shares {
  const queue = createFairQueue({ capacity: total, share: perOwner, maxWaiting: Number.POSITIVE_INFINITY });

  return {
    async pass(owner, signal, work) {
      if (queue.waiting(owner) >= waitingPerOwner) throw refuse();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(refuse()), waitMs);
      try {
        return await takeTurn(queue, owner, work, AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
