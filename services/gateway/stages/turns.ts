import type { ServerResponse } from 'node:http';
import { problem } from '../../core/errors.ts';
import { createFairQueue, type FairQueueOptions } from '../../core/fair-queue.ts';

/** Admits requests with large bodies to memory one after another; the others wait with their bodies unread. */
export interface Turns {
  /**
   * Resolves when it is this request's turn; the turn ends when its response closes. Requests with different values of
   * `key` take turns. Throws 503 when too many wait already, and 400 when the client disconnects before its turn.
   */
  take(res: ServerResponse, key?: string, weight?: number): Promise<void>;
}

/** Creates the turns of requests that share a capacity, in the unit of their weights; the default weight is 1. */
export function createTurns(options: FairQueueOptions): Turns {
  const queue = createFairQueue(options);
  return {
    async take(res, key = '', weight = 1) {
      const gone = () => problem('bad_request', 'The connection ended before the body was read.');
      // a closed response emits no further event that could end the turn
      if (res.closed) throw gone();
      const turn = queue.enter(key, weight);
      const left = new Promise<never>((_, reject) => {
        res.once('close', () => {
          turn.end();
          reject(gone());
        });
      });
      await Promise.race([turn.ready, left]);
      left.catch(() => undefined); // a turn that ends with its response is the normal case
    },
  };
}
