import { problem } from './errors.ts';

/** A place in the queue, and then the right to run. */
export interface Turn {
  /** Resolves when the turn starts; never once `end` has been called. */
  ready: Promise<void>;
  /** Ends the turn, or leaves the queue. Safe to call again. */
  end(): void;
}

export interface FairQueue {
  /** Queues work of `key` that needs `weight` of the capacity. Throws `unavailable` when too much waits. */
  enter(key: string, weight: number): Turn;
  /** Returns the number of waiting entries, in total or of one key. */
  waiting(key?: string): number;
}

export interface FairQueueOptions {
  /** Maximum total weight of running work. Heavier work runs alone. */
  capacity: number;
  /**
   * Maximum total weight of running work of one key; by default the capacity. A key that runs nothing may always run
   * one.
   */
  share?: number;
  /**
   * Maximum number of waiting entries. Beyond it only a key without waiting entries may queue one more, so that no key
   * locks out the others.
   */
  maxWaiting: number;
}

interface Waiting {
  weight: number;
  start: () => void;
}

/**
 * Creates a queue that runs work within a capacity. Keys with waiting work take turns: behind a key with a hundred
 * entries, another key's first entry starts next.
 */
export function createFairQueue({ capacity, share = capacity, maxWaiting }: FairQueueOptions): FairQueue {
  let free = capacity;
  let count = 0;
  const held = new Map<string, number>();
  /** In the order of the keys' turns. */
  const waiting = new Map<string, Waiting[]>();

  function remove(key: string, entry: Waiting): boolean {
    const entries = waiting.get(key) ?? [];
    const at = entries.indexOf(entry);
    if (at < 0) return false;
    entries.splice(at, 1);
    count--;
    waiting.delete(key);
    if (entries.length > 0) waiting.set(key, entries); // re-insert at the end: the other keys come first
    return true;
  }

  /**
   * Returns the next entry that may run. One that is too heavy at the moment holds back the others: lighter ones could
   * overtake it indefinitely.
   */
  function findNext(): [string, Waiting] | undefined {
    for (const [key, [first]] of waiting) {
      const own = held.get(key) ?? 0;
      if (own > 0 && own + first!.weight > share) continue;
      return first!.weight <= free || free === capacity ? [key, first!] : undefined;
    }
    return undefined;
  }

  function startNext(): void {
    for (let next = findNext(); next; next = findNext()) {
      const [key, entry] = next;
      remove(key, entry);
      free -= entry.weight;
      held.set(key, (held.get(key) ?? 0) + entry.weight);
      entry.start();
    }
  }

  function finish(key: string, weight: number): void {
    free += weight;
    const left = held.get(key)! - weight;
    if (left > 0) held.set(key, left);
    else held.delete(key);
  }

  return {
    enter(key, weight) {
      if (count >= maxWaiting && waiting.has(key))
        throw problem('unavailable', 'Too many requests of this kind are in progress; try again shortly.', {
          retryAfterSeconds: 5,
        });
      const { promise: ready, resolve } = Promise.withResolvers<void>();
      let ended = false;
      const entry = { weight, start: resolve };
      const before = waiting.get(key);
      if (before) before.push(entry);
      else waiting.set(key, [entry]);
      count++;
      startNext();
      return {
        ready,
        end() {
          if (ended) return;
          ended = true;
          if (!remove(key, entry)) finish(key, weight);
          startNext();
        },
      };
    },
    waiting: (key) => (key === undefined ? count : (waiting.get(key)?.length ?? 0)),
  };
}

/** Resolves with `ready`, or rejects with the reason of the signal if that is aborted first. */
async function beforeAbort(ready: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([ready, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Runs work of `key`, with weight one, when its turn comes. Throws what the work throws, `unavailable` when too much
 * waits, and the signal's reason when that is aborted before the turn.
 */
export async function takeTurn<T>(
  queue: FairQueue,
  key: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const turn = queue.enter(key, 1);
  try {
    await (signal ? beforeAbort(turn.ready, signal) : turn.ready);
    return await work();
  } finally {
    turn.end();
  }
}
