import { readFileSync } from 'node:fs';

const stopSignals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const keeperPollMs = 500;

/** The run was told to stop; not a failure. */
export class Stopped extends Error {}

/**
 * Returns whether a process between the user and this one should pass signals on: the launcher under another Node, or
 * npm (whose shell does not pass them on). When it is gone, nothing could stop this process.
 */
function hasKeeper(env: NodeJS.ProcessEnv): boolean {
  return Number(env['FIELDSTONE_LAUNCHER_PID']) === process.ppid || env['npm_command'] !== undefined;
}

/** Processes that npm started have this in their environment; npm itself and its caller do not. */
function isStartedByNpm(pid: number): boolean {
  return readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .some((entry) => entry.startsWith('npm_command='));
}

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]);
}

/**
 * Returns the ids of this process's parent and, as far as npm started them (a shell, the launcher), of its ancestors up
 * to npm, joined for comparison. Excludes npm's caller: a closed terminal ends its processes by SIGHUP.
 */
function readKeepers(env: NodeJS.ProcessEnv): string {
  const keepers = [process.ppid];
  try {
    for (let pid = process.ppid; env['npm_command'] !== undefined && isStartedByNpm(pid); keepers.push(pid))
      pid = parentOf(pid);
  } catch {
    // not Linux, or one of them is ending: use those found
  }
  return keepers.join('/');
}

/**
 * Returns a signal that is aborted on Ctrl-C, SIGTERM or SIGHUP, or when an ancestor from `readKeepers` has died. A
 * second Ctrl-C has no effect: stopping is bounded in time.
 */
export function watchForStop(env: NodeJS.ProcessEnv): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort(new Stopped('Stopped while starting.'));
  for (const signal of stopSignals) process.on(signal, stop);
  if (hasKeeper(env)) {
    const keepers = readKeepers(env);
    const timer = setInterval(() => readKeepers(env) !== keepers && stop(), keeperPollMs);
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
