import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process and waits for its exit; does nothing if it has exited. Returns its exit code or signal. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode ?? child.signalCode ?? 0;
}

/**
 * Waits until `fieldstone up`, started with both outputs piped, prints `ready`; returns its output until then. Throws
 * the output if it exits before or is not ready in time.
 */
export function untilReady(up: ChildProcess, timeoutMs: number): Promise<string> {
  let printed = '';
  let complained = '';
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`fieldstone up ${what}.\n${printed}\n${complained}`));
    const timer = setTimeout(() => fail(`was not ready within ${timeoutMs} ms`), timeoutMs);
    up.stderr!.on('data', (chunk: Buffer) => {
      complained = `${complained}${chunk}`.slice(-10_000);
    });
    up.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (!/^ready$/m.test(printed)) return;
      clearTimeout(timer);
      resolve(printed);
    });
    up.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
}
