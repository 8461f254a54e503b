import { createFairQueue } from '../../core/fair-queue.ts';

export interface ApplyTurns {
  /** Runs the work when the site reaches the front of the queue; settles as the work does. */
  pass<T>(siteId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the queue in which the inboxes of a worker write one delivery of a site at a time: transactions of one site
 * mostly conflict, and their retries slow down the builds of all sites. At most `atOnce` sites write concurrently; the
 * queue is fair between sites.
 */
export function createApplyTurns(atOnce: number): ApplyTurns {
  const queue = createFairQueue({ capacity: atOnce, share: 1, maxWaiting: Number.POSITIVE_INFINITY });
  return {
    async pass(siteId, work) {
      const turn = queue.enter(siteId, 1);
      try {
        await turn.ready;
        return await work();
      } finally {
        turn.end();
      }
    },
  };
}
