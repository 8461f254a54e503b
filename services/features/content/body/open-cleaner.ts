import type { ThreadPool } from '../../../engines/threads/thread-pool.ts';
import type { BodyCleaner } from '../../app.ts';

/**
 * Creates the body cleaner of a process, on the given thread pool. Loads the sanitizer only now, because most commands
 * clean nothing.
 */
export async function openBodyCleaner(threads: Pick<ThreadPool, 'run'>): Promise<BodyCleaner> {
  const { createBodyCleaner } = await import('./cleaner.ts');
  return createBodyCleaner(threads);
}

/** Cleans in the calling thread, for programs that serve no requests meanwhile. */
export const cleanAtOnce: BodyCleaner = {
  async clean(_key, given) {
    const { cleanBody } = await import('./clean.ts');
    return given.map(cleanBody);
  },
};
