import vm from 'node:vm';

const room = vm.createContext({ run: null });
const script = new vm.Script('run()');

/** The work exceeded its time limit. */
export class TooSlow extends Error {}

/** Runs synchronous work in this process with a time limit, which also interrupts regular expressions. */
export function runBounded<T>(work: () => T, timeoutMs: number): T {
  room['run'] = work;
  try {
    return script.runInContext(room, { timeout: timeoutMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new TooSlow('It took too long.');
    throw error;
  } finally {
    room['run'] = null;
  }
}
