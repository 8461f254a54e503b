const stopSignals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const keeperPollMs = 500;

/** The run was told to stop; nothing is wrong. */
export class Stopped extends Error {}

/**
 * Whether somebody stands between the user and this process who was meant to pass signals on: the launcher under another
 * Node, or npm (whose shell does not pass them on). When they are gone nobody could stop this process any more.
 */
function hasKeeper(env: NodeJS.ProcessEnv): boolean {
  return Number(env['FIELDSTONE_LAUNCHER_PID']) === process.ppid || env['npm_command'] !== undefined;
}

/**
 * Answers a signal that is aborted on Ctrl-C, SIGTERM or SIGHUP, or when the keeper of this process has died.
 * A second Ctrl-C changes nothing: stopping is bounded in time.
 */
export function watchForStop(env: NodeJS.ProcessEnv): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new Stopped('Stopped while starting.'));
  for (const signal of stopSignals) process.on(signal, stop);
  if (hasKeeper(env)) {
    const keeper = process.ppid;
    const timer = setInterval(() => process.ppid !== keeper && stop(), keeperPollMs);
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
