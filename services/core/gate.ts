export interface Gate {
  /** Runs work when its turn comes; resolves or rejects as the work does. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Number of waiting callers. */
  waiting(): number;
}

/** Creates a gate that runs at most `limit` pieces of work concurrently, the others in order of arrival. */
export function createGate(limit: number): Gate {
  let free = limit;
  const queue: (() => void)[] = [];
  return {
    async pass(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await work();
      } finally {
        // pass the slot on directly: if it were freed first, another caller could take it and exceed the limit
        const next = queue.shift();
        if (next) next();
        else free++;
      }
    },
    waiting: () => queue.length,
  };
}
