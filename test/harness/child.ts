import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process and waits until it is gone; harmless when it is already. Answers how it ended: an exit code or a signal. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode ?? child.signalCode ?? 0;
}
