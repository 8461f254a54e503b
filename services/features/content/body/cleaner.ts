import { fileURLToPath } from 'node:url';
import { invalid, problem } from '../../../core/errors.ts';
import { createThreadPool, ThreadFailure, type ThreadPoolOptions } from '../../../engines/threads/thread-pool.ts';
import { forbidInTransaction } from '../../../engines/transaction-guard.ts';
import type { BodyCleaner, CleanBody } from '../../app.ts';
import { cleanBody } from './clean.ts';

/**
 * More characters than this, in all, go to a thread. A kilobyte takes up to a millisecond (docs/decisions/0121), a thread and back a
 * fraction of one.
 */
const threadedChars = 16 * 1024;
const memoryMb = 384;
const timeoutMs = 120_000;
const maxWaiting = 64;

const entry = fileURLToPath(new URL('./clean-thread.ts', import.meta.url));

function explain(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error;
  if (error.reason === 'memory')
    return invalid([{ path: 'body_html', message: 'takes too much memory to clean; send it in parts' }]);
  const message = 'The body could not be cleaned in time; try again shortly.';
  return problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
}

/** Makes the cleaner of a process. Its threads begin with the first large body. */
export function createBodyCleaner(options: Partial<ThreadPoolOptions> = {}): BodyCleaner {
  const pool = createThreadPool({ entry, memoryMb, timeoutMs, maxWaiting, ...options });
  return {
    async clean(key, given) {
      forbidInTransaction('Sanitizing');
      const chars = given.reduce((sum, { length }) => sum + length, 0);
      if (chars <= threadedChars) return given.map(cleanBody);
      return pool.run<CleanBody[]>(key, given).catch((error: unknown) => {
        throw explain(error);
      });
    },
    stop: () => pool.stop(),
  };
}
