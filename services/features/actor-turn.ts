import { setTimeout as sleep } from 'node:timers/promises';

/** One turn claims new work for so long; then the actor begins another, so that its history stays small and it can be moved. */
const turnMs = 20_000;
/** How often a turn with work under way looks for more. */
const lookEveryMs = 250;

/** The work of a turn that is under way. */
export interface Turn {
  /** Adds work. An error that it throws is an engine's: the turn ends with it, once everything under way has come to an end. */
  track(work: Promise<void>): void;
  size(): number;
}

export interface TurnOptions {
  /** So many pieces of work at once. */
  atOnce: number;
  /** Ends the turn: nothing more is claimed. */
  signal: AbortSignal;
  /** Claims so much and tracks it. */
  claim(room: number, turn: Turn): Promise<void>;
  /** After a failure: gives back what is still held. */
  release(): Promise<void>;
}

/**
 * One turn of an actor that works through a queue in SQL: claims what is due, for a bounded time, and does it several at once. Ends
 * when nothing is under way any more, whatever fails. Throws the first error of an engine.
 */
export async function runTurn({ atOnce, signal, claim, release }: TurnOptions): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  const turn: Turn = {
    track(work) {
      const tracked: Promise<void> = work.catch(fail).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    size: () => running.size,
  };
  const until = Date.now() + turnMs;
  for (;;) {
    const open = Date.now() < until && !signal.aborted && !failure;
    // claimed in bundles: as soon as there is room for half of one
    if (open && running.size <= atOnce / 2) await claim(atOnce - running.size, turn).catch(fail);
    if (running.size === 0) break;
    await Promise.race([...running, ...(open ? [sleep(lookEveryMs)] : [])]);
  }
  if (!failure) return;
  await release();
  throw failure.error;
}

/** What an actor is to do when the next work of its queue is due in so long; null when nothing waits. */
export function planAfter(dueMs: number | null): { do: 'continue' } | { do: 'sleep'; ms: number } | { do: 'idle' } {
  if (dueMs === null) return { do: 'idle' };
  return dueMs <= 0 ? { do: 'continue' } : { do: 'sleep', ms: Math.ceil(dueMs) };
}
