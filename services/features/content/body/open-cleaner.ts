import type { ThreadPool } from '../../../engines/threads/thread-pool.ts';
import type { BodyCleaner } from '../../app.ts';

/** Makes the cleaner of a process, whose threads it shares. The sanitizer is loaded here and not with the door: most commands clean nothing. */
export async function openBodyCleaner(threads: Pick<ThreadPool, 'run'>): Promise<BodyCleaner> {
  const { createBodyCleaner } = await import('./cleaner.ts');
  return createBodyCleaner(threads);
}

/** For a program that serves nobody while it cleans. */
export const cleanAtOnce: BodyCleaner = {
  async clean(_key, given) {
    const { cleanBody } = await import('./clean.ts');
    return given.map(cleanBody);
  },
};
