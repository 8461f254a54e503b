/** Detects that this process did not run for a while, because it was stopped or its event loop was busy. */
export interface PauseWatch {
  /** Returns whether a pause ended after `sinceMs` (of `performance.now()`), or ends only now. */
  pausedSince(sinceMs: number): boolean;
  stop(): void;
}

const tickMs = 100;
const pauseMs = 300;

/** Starts the watch; until it is stopped it does not keep the process alive. */
export function watchPauses(): PauseWatch {
  let lastTickMs = performance.now();
  let lastPauseMs = Number.NEGATIVE_INFINITY;
  const note = () => {
    const now = performance.now();
    if (now - lastTickMs > pauseMs) lastPauseMs = now;
    lastTickMs = now;
  };
  const timer = setInterval(note, tickMs).unref();
  return {
    pausedSince(sinceMs) {
      note();
      return lastPauseMs >= sinceMs;
    },
    stop: () => clearInterval(timer),
  };
}
