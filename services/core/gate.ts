export interface Gate {
  /** Runs work when it is its turn, and answers or throws what it does. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait for their turn. */
  waiting(): number;
}

/** Lets so many pieces of work run at once, the others in the order in which they came. */
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
        // handed over, not given back: whoever comes in between would be one too many
        const next = queue.shift();
        if (next) next();
        else free++;
      }
    },
    waiting: () => queue.length,
  };
}
