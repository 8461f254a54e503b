import vm from 'node:vm';

const room = vm.createContext({ run: null });
const script = new vm.Script('run()');

/** The work took longer than it may. */
export class TooSlow extends Error {}

/** Runs synchronous work of this process with a limit on its time, which also cuts off a regular expression. */
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
