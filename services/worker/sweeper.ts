import type { Logger } from '../core/log.ts';

export interface Sweep {
  name: string;
  /** Finds waiting work and wakes the actors that do it. */
  run: () => Promise<void>;
}

const intervalMs = 2000;

/**
 * Runs every sweep every two seconds, so that nothing depends on a signal that may be lost. A sweep that fails (an
 * engine is unavailable) is retried in the next round.
 */
export function startSweeper(sweeps: readonly Sweep[], log: Logger): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();

  async function sweepAll(): Promise<void> {
    for (const sweep of sweeps) {
      try {
        await sweep.run();
      } catch (error) {
        log.warn({ err: error, sweep: sweep.name }, 'a sweep failed and will be retried');
      }
    }
    if (!stopped) timer = setTimeout(begin, intervalMs);
  }
  function begin(): void {
    turn = sweepAll();
  }
  begin();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
