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

/** What npm starts has this in its environment; npm itself has not, nor has the shell that npm was called from. */
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
 * The ids of this process's parent and, as far as npm started them (a shell, the launcher), of the parents' parents, up to npm, as
 * one word to compare. Who called npm is none of them: a terminal that is closed ends what it should by SIGHUP.
 */
function readKeepers(env: NodeJS.ProcessEnv): string {
  const keepers = [process.ppid];
  try {
    for (let pid = process.ppid; env['npm_command'] !== undefined && isStartedByNpm(pid); keepers.push(pid))
      pid = parentOf(pid);
  } catch {
    // not Linux, or one of them is ending: those found must do
  }
  return keepers.join('/');
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
