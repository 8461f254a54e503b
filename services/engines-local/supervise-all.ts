import { openLogFile } from './log-files.ts';
import { type ProcessEvent, type ProcessSpec, type SupervisedProcess, superviseProcess } from './supervise.ts';

export interface GroupOptions {
  /** Logs are written to `<dataDir>/logs/<name>.log`. */
  dataDir: string;
  /** Called when a process ends unexpectedly, and when it has been restarted. */
  onEvent(event: ProcessEvent): void;
  /** Aborts a start in progress. */
  signal: AbortSignal;
}

export interface ProcessGroup {
  /** Stops all processes concurrently and waits until they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts several processes concurrently and waits until each is ready. When one cannot be prepared or started, the
 * others are stopped and its error is thrown.
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
      giveUp.abort(error); // keeps the first reason: the others fail because of it
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
