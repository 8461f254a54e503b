/** Maximum concurrency of one kind of work in a process, in total and per owner. */
export interface ShareLimits {
  total: number;
  perOwner: number;
  /** Maximum number of waiting pieces of one owner, and how long each waits. */
  waitingPerOwner: number;
  waitMs: number;
  /** Creates the error for a piece of work that gets no turn. */
  refuse: () => Error;
}

interface Owner {
  running: number;
  waiting: (() => void)[];
}

export interface Shares {
  /**
   * Runs work of an owner when its turn comes, and resolves or rejects as the work does. Rejects with `refuse()` when
   * too much work of the owner waits or the wait was too long, and with the signal's reason when that is aborted first.
   */
  pass<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Shares a bounded number of slots between owners, who take turns, so that one owner cannot block the others. */
export function createShares({ total, perOwner, waitingPerOwner, waitMs, refuse }: ShareLimits): Shares {
  /** In the order of their turns. */
  const owners = new Map<string, Owner>();
  let running = 0;

  function serve(): void {
    for (const [name, owner] of [...owners]) {
      if (running >= total) return;
      if (owner.waiting.length === 0 || owner.running >= perOwner) continue;
      running++;
      owner.running++;
      // the next turn goes to another owner
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
