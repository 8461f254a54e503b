import { readFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second to every program. */
const tickMs = 10;
/** Fields of `/proc/{pid}/stat` behind the program's name, which may contain anything: user and system time. */
const userField = 11;
const systemField = 12;

/** Milliseconds of processor time that all threads of a process have used; null if the system does not tell. */
function readProcessorMs(pid: number | undefined): number | null {
  if (process.platform !== 'linux' || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[userField]) + Number(fields[systemField])) * tickMs;
  } catch {
    return null; // it has ended
  }
}

export interface CallClock {
  /** Milliseconds since the call began. */
  elapsedMs(): number;
  /** Milliseconds of processor time since the call began; the elapsed time if the system does not tell. */
  usedMs(): number;
}

/**
 * Measures a call of a process. Processor time tells what the call does, elapsed time also what other processes of the machine
 * do meanwhile.
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

/** The system tells the processor time in steps; a call that is just below its limit is looked at again after this time. */
const shortestWaitMs = 50;

/** Calls `onExceeded` once, with a sentence, when a call exceeds a limit. Returns what ends the watch. */
export function watchLimits(
  clock: CallClock,
  { timeoutMs, processorMs = Number.POSITIVE_INFINITY }: CallLimits,
  onExceeded: (message: string) => void,
): () => void {
  let timer: NodeJS.Timeout;
  const look = () => {
    const elapsedLeft = timeoutMs - clock.elapsedMs();
    const processorLeft = processorMs - clock.usedMs();
    if (elapsedLeft <= 0) return onExceeded(`The sandbox did not answer within ${timeoutMs} ms.`);
    if (processorLeft <= 0) return onExceeded(`The sandbox used more than ${processorMs} ms of processor time.`);
    // a single thread computes, so that the rest is used up no sooner
    timer = setTimeout(look, Math.max(Math.min(elapsedLeft, processorLeft), shortestWaitMs));
  };
  timer = setTimeout(look, Math.min(timeoutMs, processorMs));
  return () => clearTimeout(timer);
}
