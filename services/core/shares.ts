/** How much of one kind of work a process does at once, in all and of one owner. */
export interface ShareLimits {
  total: number;
  perOwner: number;
  /** How many pieces of one owner wait for their turn, and how long each. */
  waitingPerOwner: number;
  waitMs: number;
  /** What a piece of work that cannot have its turn is refused with. */
  refuse: () => Error;
}

interface Owner {
  running: number;
  waiting: (() => void)[];
}

export interface Shares {
  /**
   * Runs work of an owner when it is its turn, and resolves or rejects as the work does. Rejects with `refuse()` when too much of the
   * owner waits or the wait was too long, and with the signal's reason when that is aborted first.
   */
  pass<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Shares a bounded number of places between owners, who take turns: what one asks for keeps no other waiting. */
export function createShares({ total, perOwner, waitingPerOwner, waitMs, refuse }: ShareLimits): Shares {
  /** In the order in which they take turns. */
  const owners = new Map<string, Owner>();
  let running = 0;

  function serve(): void {
    for (const [name, owner] of [...owners]) {
      if (running >= total) return;
      if (owner.waiting.length === 0 || owner.running >= perOwner) continue;
      running++;
      owner.running++;
      // the next turn is another's
      owners.delete(name);
      owners.set(name, owner);
      owner.waiting.shift()!();
    }
  }

  function end(name: string, owner: Owner): void {
    running--;
    owner.running--;
    if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name);
    serve();
  }

  async function takeTurn(name: string, owner: Owner, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (error: unknown) => {
      const place = owner.waiting.indexOf(resolve);
      if (place < 0) return;
      owner.waiting.splice(place, 1);
      if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name);
      reject(error);
    };
    const onAbort = () => leave(signal.reason);
    const timer = setTimeout(() => leave(refuse()), waitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    owner.waiting.push(resolve);
    serve();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    async pass(name, signal, work) {
      signal.throwIfAborted();
      const owner = owners.get(name) ?? { running: 0, waiting: [] };
      if (owner.waiting.length >= waitingPerOwner) throw refuse();
      owners.set(name, owner);
      await takeTurn(name, owner, signal);
      try {
        return await work();
      } finally {
        end(name, owner);
      }
    },
  };
}
