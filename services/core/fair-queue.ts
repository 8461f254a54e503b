import { problem } from './errors.ts';

/** A place in the queue, and then the right to go on. */
export interface Turn {
  /** Resolves when it is this one's turn; never once `end` has been called. */
  ready: Promise<void>;
  /** Ends the turn, or leaves the queue. Safe to call again. */
  end(): void;
}

export interface FairQueue {
  /** Queues work of `key` that needs `weight` of the capacity. Throws `unavailable` when too much waits. */
  enter(key: string, weight: number): Turn;
  /** How many wait. */
  waiting(): number;
}

export interface FairQueueOptions {
  /** What all that run may weigh together. Work that weighs more runs alone. */
  capacity: number;
  /** What those of one key may weigh together; by default the capacity. A key that runs nothing may always run one. */
  share?: number;
  /** So many may wait in all. Beyond that only a key of which nothing waits may queue one more, so that no key shuts the others out. */
  maxWaiting: number;
}

interface Waiting {
  weight: number;
  start: () => void;
}

/**
 * Lets work run within a capacity, and the keys whose work waits take turns: behind a key with a hundred waiting, another key's
 * first one starts next.
 */
export function createFairQueue({ capacity, share = capacity, maxWaiting }: FairQueueOptions): FairQueue {
  let free = capacity;
  let count = 0;
  const held = new Map<string, number>();
  /** In the order in which the keys have their turns. */
  const waiting = new Map<string, Waiting[]>();

  function remove(key: string, entry: Waiting): boolean {
    const entries = waiting.get(key) ?? [];
    const at = entries.indexOf(entry);
    if (at < 0) return false;
    entries.splice(at, 1);
    count--;
    waiting.delete(key);
    if (entries.length > 0) waiting.set(key, entries); // at the end: the other keys come first
    return true;
  }

  /** The next that may run. One that is too heavy for now keeps the others back: lighter ones would overtake it without end. */
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
        throw problem('unavailable', 'Too many requests of this kind are under way; try again shortly.', {
          retryAfterSeconds: 5,
        });
      const { promise: ready, resolve } = Promise.withResolvers<void>();
      let ended = false;
      const entry = { weight, start: resolve };
      waiting.set(key, [...(waiting.get(key) ?? []), entry]);
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
    waiting: () => count,
  };
}

/** Runs work of `key` when it is its turn, whose weight is one. Throws what the work throws, and `unavailable` when too much waits. */
export async function takeTurn<T>(queue: FairQueue, key: string, work: () => Promise<T>): Promise<T> {
  const turn = queue.enter(key, 1);
  try {
    await turn.ready;
    return await work();
  } finally {
    turn.end();
  }
}
