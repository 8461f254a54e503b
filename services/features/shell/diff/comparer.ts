import { fileURLToPath } from 'node:url';
import { problem } from '../../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../../../engines/threads/thread-pool.ts';
import { compareTexts, type Versions } from './text.ts';

/** Texts longer than this in total are compared in a thread. */
const threadedChars = 16 * 1024;

const comparing: ThreadWork = {
  name: 'diff',
  entry: fileURLToPath(new URL('./compare-thread.ts', import.meta.url)),
  timeoutMs: 60_000,
};

/**
 * Creates a variant of `compareTexts` that does not block the event loop: it compares long texts in threads, with a
 * queue that is fair between keys. Throws `unavailable` when too many wait or the machine is too busy.
 */
export function createComparer(threads: Pick<ThreadPool, 'run'>, key: string) {
  return async (versions: Versions): Promise<string | undefined> => {
    const chars = (versions.before?.length ?? 0) + (versions.after?.length ?? 0);
    if (chars <= threadedChars) return compareTexts(versions);
    try {
      return await threads.run<string | undefined>(comparing, key, versions);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      if (error.reason === 'memory') return undefined;
      const message = 'The files could not be compared in time; try again shortly.';
      throw problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
    }
  };
}
