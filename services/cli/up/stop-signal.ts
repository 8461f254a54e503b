const stopSignals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const launcherPollMs = 500;

/** The run was told to stop; nothing is wrong. */
export class Stopped extends Error {}

/**
 * Answers a signal that is aborted on Ctrl-C, SIGTERM or SIGHUP, or when the launcher that passes these on has died.
 * A second Ctrl-C changes nothing: stopping is bounded in time.
 */
export function watchForStop(env: NodeJS.ProcessEnv): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new Stopped('Stopped while starting.'));
  for (const signal of stopSignals) process.on(signal, stop);
  const launcher = Number(env['FIELDSTONE_LAUNCHER_PID']);
  if (launcher === process.ppid) {
    const timer = setInterval(() => process.ppid !== launcher && stop(), launcherPollMs);
    timer.unref();
    controller.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
