import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A turn claims new work for this time; then the actor starts another one, so that its history stays small and it can
 * be moved.
 */
const turnMs = 20_000;
/** The interval at which a turn with running work looks for more. */
const lookEveryMs = 250;

/** The running work of a turn. */
export interface Turn {
  /** Adds work. If it throws, an engine has failed: the turn rejects with the error once all running work has ended. */
  track(work: Promise<void>): void;
  size(): number;
}

export interface TurnOptions {
  /** Maximum concurrent pieces of work. */
  atOnce: number;
  /** Ends the turn: nothing more is claimed. */
  signal: AbortSignal;
  /** Claims up to `room` pieces of work and tracks them. */
  claim(room: number, turn: Turn): Promise<void>;
  /** Releases the remaining claims after a failure. */
  release(): Promise<void>;
}

/**
 * Runs one turn of an actor that processes a queue in SQL: claims what is due, for a bounded time, and runs several
 * pieces concurrently. Ends when all work has ended, even after a failure. Throws the first error of an engine.
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
    // claim in bundles: when at least half of the slots are free
    if (open && running.size <= atOnce / 2) await claim(atOnce - running.size, turn).catch(fail);
    if (running.size === 0) break;
    await Promise.race([...running, ...(open ? [sleep(lookEveryMs)] : [])]);
  }
  if (!failure) return;
  await release();
  throw failure.error;
}

/** Returns the actor's next step if the next work of its queue is due in `dueMs`; null when nothing waits. */
export function planAfter(dueMs: number | null): { do: 'continue' } | { do: 'sleep'; ms: number } | { do: 'idle' } {
  if (dueMs === null) return { do: 'idle' };
  return dueMs <= 0 ? { do: 'continue' } : { do: 'sleep', ms: Math.ceil(dueMs) };
}
