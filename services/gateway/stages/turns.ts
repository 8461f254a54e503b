import type { ServerResponse } from 'node:http';
import { problem } from '../../core/errors.ts';

const maxWaiting = 50;

/** Lets so many requests at once hold a large body in memory; the others wait with theirs unread. */
export interface Turns {
  /**
   * Resolves when it is this request's turn, which ends with its response, whatever becomes of it. Throws 503 when too many
   * wait already, and 400 when the client left before its turn.
   */
  take(res: ServerResponse): Promise<void>;
}

/** Makes the turns of one route. */
export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting = new Map<ServerResponse, () => void>();

  function startNext(): void {
    const [first] = waiting;
    if (running >= atOnce || !first) return;
    const [res, start] = first;
    waiting.delete(res);
    running++;
    res.once('close', () => {
      running--;
      startNext();
    });
    start();
  }

  return {
    take(res) {
      if (waiting.size >= maxWaiting) {
        throw problem('unavailable', 'Too many large requests are under way; try again shortly.', {
          retryAfterSeconds: 5,
        });
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const gone = () => problem('bad_request', 'The connection ended before the body was read.');
      // what is closed already would never give its turn back
      if (res.closed) throw gone();
      const leave = () => {
        if (waiting.delete(res)) reject(gone());
      };
      res.once('close', leave);
      waiting.set(res, () => {
        res.off('close', leave);
        resolve();
      });
      startNext();
      return promise;
    },
  };
}
