import type { ServerResponse } from 'node:http';
import { problem } from '../../core/errors.ts';
import { createFairQueue, type FairQueueOptions } from '../../core/fair-queue.ts';

/** Lets requests with large bodies in memory one after another; the others wait with theirs unread. */
export interface Turns {
  /**
   * Resolves when it is this request's turn, which ends with its response, whatever becomes of it. `key` is whose request it is, for
   * those of different keys take turns. Throws 503 when too many wait already, and 400 when the client left before its turn.
   */
  take(res: ServerResponse, key?: string, weight?: number): Promise<void>;
}

/** Makes the turns of requests that share a capacity, which is in the unit of their weights: one each, unless they say so. */
export function createTurns(options: FairQueueOptions): Turns {
  const queue = createFairQueue(options);
  return {
    async take(res, key = '', weight = 1) {
      const gone = () => problem('bad_request', 'The connection ended before the body was read.');
      // what is closed already would never end its turn
      if (res.closed) throw gone();
      const turn = queue.enter(key, weight);
      const left = new Promise<never>((_, reject) => {
        res.once('close', () => {
          turn.end();
          reject(gone());
        });
      });
      await Promise.race([turn.ready, left]);
      left.catch(() => undefined); // a turn that ends with its response is as it should be
    },
  };
}
