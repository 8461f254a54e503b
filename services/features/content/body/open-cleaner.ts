import type { BodyCleaner } from '../../app.ts';

/** Makes the cleaner of a process. The sanitizer is loaded here and not with the door: most commands clean nothing. */
export async function openBodyCleaner(): Promise<BodyCleaner> {
  const { createBodyCleaner } = await import('./cleaner.ts');
  return createBodyCleaner();
}

/** For a program that serves nobody while it cleans. */
export const cleanAtOnce: BodyCleaner = {
  async clean(_key, given) {
    const { cleanBody } = await import('./clean.ts');
    return given.map(cleanBody);
  },
  stop: async () => undefined,
};
