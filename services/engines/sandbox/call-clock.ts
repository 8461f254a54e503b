import { readFileSync } from 'node:fs';

/** Linux reports processor time to every program in hundredths of a second. */
const tickMs = 10;
/** Fields of `/proc/{pid}/stat` after the program's name, which may contain anything: user and system time. */
const userField = 11;
const systemField = 12;

/**
 * Returns the milliseconds of processor time that all threads of a process have used; null if the system does not
 * report it.
 */
function readProcessorMs(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[userField]) + Number(fields[systemField])) * tickMs;
  } catch {
    return null; // the process has ended
  }
}

export interface CallClock {
  /** Returns the milliseconds since the call began. */
  elapsedMs(): number;
  /**
   * Returns the milliseconds of processor time since the call began; the elapsed time if the system does not report it.
   */
  usedMs(): number;
}

/**
 * Measures a call of a process. Processor time covers only the call itself; elapsed time also depends on other
 * processes of the machine.
 */
export function startCallClock(pid: number | undefined): CallClock {
  const startedAt = performance.now();
  const before = readProcessorMs(pid);
  const elapsedMs = () => performance.now() - startedAt;
  return {
    elapsedMs,
    usedMs() {
      const now = before === null ? null : readProcessorMs(pid);
      return now === null ? elapsedMs() : now - before!;
    },
  };
}

export interface CallLimits {
  timeoutMs: number;
  processorMs?: number;
}

/** The system reports processor time in steps; a call just below its limit is checked again after this time. */
const shortestWaitMs = 50;

/** Calls `onExceeded` once, with a sentence, when a call exceeds a limit. Returns a function that stops the watch. */
export function watchLimits(
  clock: CallClock,
  { timeoutMs, processorMs = Number.POSITIVE_INFINITY }: CallLimits,
  onExceeded: (message: string) => void,
): () => void {
  let timer: NodeJS.Timeout;
  const look = () => {
    const elapsedLeft = timeoutMs - clock.elapsedMs();
    const processorLeft = processorMs - clock.usedMs();
    if (elapsedLeft <= 0) return onExceeded(`The sandbox did not respond within ${timeoutMs} ms.`);
    if (processorLeft <= 0) return onExceeded(`The sandbox used more than ${processorMs} ms of processor time.`);
    // only one thread computes, so the rest cannot be used up sooner
    timer = setTimeout(look, Math.max(Math.min(elapsedLeft, processorLeft), shortestWaitMs));
  };
  timer = setTimeout(look, Math.min(timeoutMs, processorMs));
  return () => clearTimeout(timer);
}
