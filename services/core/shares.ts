import { createFairQueue, takeTurn } from './fair-queue.ts';

/** How much of one kind of work a process does at once, in all and of one owner. */
export interface ShareLimits {
  total: number;
  perOwner: number;
  /** How many pieces of one owner wait for their turn, and how long each. */
  waitingPerOwner: number;
  waitMs: number;
  /** What a piece of work that cannot have its turn is refused with. */
  refuse: () => Error;
}

export interface Shares {
  /**
   * Runs work of an owner when it is its turn, and resolves or rejects as the work does. Rejects with `refuse()` when too much of the
   * owner waits or the wait was too long, and with the signal's reason when that is aborted first.
   */
  pass<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Shares a bounded number of places between owners, who take turns: what one asks for keeps no other waiting. */
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
