import { fileURLToPath } from 'node:url';
import { invalid, problem } from '../../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../../../engines/threads/thread-pool.ts';
import { forbidInTransaction } from '../../../engines/transaction-guard.ts';
import type { BodyCleaner } from '../../app.ts';
import { cleanBody } from './clean.ts';
import type { ThreadedBody } from './clean-thread.ts';

/**
 * More characters than this, in all, go to a thread. A kilobyte takes up to a millisecond (docs/decisions/0121), a thread and back a
 * fraction of one.
 */
const threadedChars = 16 * 1024;

const cleaning: ThreadWork = {
  name: 'clean',
  entry: fileURLToPath(new URL('./clean-thread.ts', import.meta.url)),
  timeoutMs: 120_000,
};

function explain(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.reason === 'memory')
    return invalid([{ path: 'body_html', message: 'takes too much memory to clean; send it in parts' }]);
  const message = 'The body could not be cleaned in time; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
}

const asBuffer = (html: ThreadedBody['html']) =>
  typeof html === 'string' ? html : Buffer.from(html.buffer, html.byteOffset, html.byteLength);

/** Makes the cleaner of a process, whose threads it shares. */
export function createBodyCleaner(threads: Pick<ThreadPool, 'run'>): BodyCleaner {
  return {
    async clean(key, given) {
      forbidInTransaction('Sanitizing');
      const chars = given.reduce((sum, { length }) => sum + length, 0);
      if (chars <= threadedChars) return given.map(cleanBody);
      const bodies = await threads.run<ThreadedBody[]>(cleaning, key, given).catch((error: unknown) => {
        throw explain(error);
      });
      return bodies.map(({ html, ...rest }) => ({ html: asBuffer(html), ...rest }));
    },
  };
}
