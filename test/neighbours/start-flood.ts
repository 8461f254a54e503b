import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { FloodInput, FloodReport } from './flood/input.ts';

export interface RunningFlood {
  /** Ends it. Resolves to its report; rejects if its process has exited before. */
  stop(): Promise<FloodReport>;
}

/** Starts a flood in a separate process; it is running when this resolves. */
export async function startFlood(input: FloodInput): Promise<RunningFlood> {
  const child = fork(path.join(import.meta.dirname, 'flood', 'run.ts'), { execArgv: [] });
  const lost = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`The flood ended by itself with ${code ?? signal}.`)));
  });
  lost.catch(() => undefined); // callers that wait for a message get the error
  const message = async (): Promise<unknown> => (await Promise.race([once(child, 'message'), lost]))[0];
  const begun = message();
  child.send(input);
  await begun;
  return {
    async stop() {
      const report = message();
      child.send('end');
      const result = (await report) as FloodReport;
      child.disconnect();
      return result;
    },
  };
}
