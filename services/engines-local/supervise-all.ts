import { openLogFile } from './log-files.ts';
import { type ProcessEvent, type ProcessSpec, type SupervisedProcess, superviseProcess } from './supervise.ts';

export interface GroupOptions {
  /** Where the logs go: `<dataDir>/logs/<name>.log`. */
  dataDir: string;
  /** Told when a process ends by itself, and when it is back. */
  onEvent(event: ProcessEvent): void;
  /** Ends a start that is still under way. */
  signal: AbortSignal;
}

export interface ProcessGroup {
  /** Stops all of them at the same time and waits until they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts several processes at once and waits until each is ready. When one cannot be prepared or started, the others are
 * stopped and its error is thrown.
 */
export async function superviseAll(
  plans: (() => Promise<ProcessSpec>)[],
  { dataDir, onEvent, signal }: GroupOptions,
): Promise<ProcessGroup> {
  const giveUp = new AbortController();
  const either = AbortSignal.any([signal, giveUp.signal]);
  const running: SupervisedProcess[] = [];

  async function start(plan: () => Promise<ProcessSpec>): Promise<void> {
    const spec = await plan();
    either.throwIfAborted();
    running.push(await superviseProcess(spec, { log: openLogFile(dataDir, spec.name), onEvent, signal: either }));
  }

  async function stop(): Promise<void> {
    await Promise.all(running.map((process) => process.stop()));
  }

  const starts = plans.map((plan) =>
    start(plan).catch((error) => {
      giveUp.abort(error); // the first reason is kept: the others fail because of it
      throw error;
    }),
  );
  const results = await Promise.allSettled(starts);
  if (results.some((result) => result.status === 'rejected')) {
    await stop();
    signal.throwIfAborted();
    throw giveUp.signal.reason;
  }
  return { stop };
}
