import { watch } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor writes several files, or one in several steps. */
const quietMs = 100;

/**
 * Yields once at the start, and once after each burst of changes in a folder, until the signal is aborted. Changes
 * during the work of the caller are one more burst.
 */
export async function* watchFolder(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  let changed = Promise.withResolvers<void>();
  const stop = new AbortController();
  const events = watch(folder, { recursive: true, signal: AbortSignal.any([signal, stop.signal]) });
  const listening = (async () => {
    for await (const _event of events) changed.resolve();
  })();
  // the end of watching, by the signal or an error, ends the wait for a change too
  const ended = listening.then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted && !stop.signal.aborted) throw error;
    },
  );
  ended.catch(() => undefined); // it is thrown where the loop waits
  try {
    while (!signal.aborted) {
      yield;
      await Promise.race([changed.promise, ended]);
      if (signal.aborted) return;
      await sleep(quietMs);
      changed = Promise.withResolvers<void>();
    }
  } finally {
    stop.abort(); // also when the caller has left its loop with an error
  }
}
