import { readFileSync } from 'node:fs';

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

/** The ids of this process's parent and of the parent's parent (npm, behind the shell that it starts), as one word to compare. */
function readAncestry(): string {
  let grandparent: string | undefined;
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    grandparent = stat.slice(stat.lastIndexOf(')')).split(' ')[2];
  } catch {
    // not Linux: the parent alone must do
  }
  return `${process.ppid}/${grandparent}`;
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
    const keepers = readAncestry();
    const timer = setInterval(() => readAncestry() !== keepers && stop(), keeperPollMs);
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
