/**
 * Decides which site may use a renderer next. A site is light until it has used its share, then heavy for a while. Some
 * renderers serve only light sites, so that endless pages of one site do not delay short builds of others; heavy sites
 * take turns.
 */
export type Weight = 'light' | 'heavy';

/**
 * Maximum duration of a loan while others wait. Turns of heavy sites are longer, because opening a large site again
 * takes time too.
 */
const turnMs: Record<Weight, number> = { light: 500, heavy: 5_000 };

/** The state of a loan after one of its calls. */
export interface LoanState {
  weight: Weight;
  heldMs: number;
  /** The borrower has used up its light share. */
  isHeavyNow: boolean;
  /** Others wait for the renderer: see `isWanted`. */
  isWanted: boolean;
  /** A page waits for data that it requested and would have to request again in another renderer. */
  awaitsBodies: boolean;
}

/** Returns whether a borrower must now return its renderer for others. */
export function isTurnOver({ weight, heldMs, isHeavyNow, isWanted, awaitsBodies }: LoanState): boolean {
  if (weight === 'light' && isHeavyNow) return true;
  return isWanted && !awaitsBodies && heldMs > turnMs[weight];
}

interface Waiter<T> {
  resolve(resource: T): void;
  /** Whether it prefers this resource because it has used it before. */
  prefers(resource: T): boolean;
}

/** Lends out resources one at a time, in the order of requests; at most `heavyLimit` at once to heavy borrowers. */
export function createLender<T>(resources: readonly T[], heavyLimit: number) {
  const free = [...resources];
  const waiting: Record<Weight, Waiter<T>[]> = { light: [], heavy: [] };
  let lentToHeavy = 0;

  const nextWeight = (): Weight | null => {
    if (waiting.light.length > 0) return 'light';
    return waiting.heavy.length > 0 && lentToHeavy < heavyLimit ? 'heavy' : null;
  };

  /** Lends a free resource, preferably one that the borrower prefers; null if no resource is free. */
  function take(weight: Weight, prefers: (resource: T) => boolean): T | null {
    const known = free.findIndex(prefers);
    const [resource] = free.splice(known < 0 ? free.length - 1 : known, 1);
    if (resource === undefined) return null;
    if (weight === 'heavy') lentToHeavy++;
    return resource;
  }

  function serve(): void {
    for (let weight = nextWeight(); weight && free.length > 0; weight = nextWeight()) {
      const { resolve, prefers } = waiting[weight].shift()!;
      resolve(take(weight, prefers)!);
    }
  }

  return {
    /**
     * Resolves with a resource when it is the borrower's turn. Rejects with the signal's reason if that is aborted
     * first.
     */
    async borrow(weight: Weight, prefers: (resource: T) => boolean, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const waiter = { resolve, prefers };
      const leave = () => {
        const place = waiting[weight].indexOf(waiter);
        if (place < 0) return;
        waiting[weight].splice(place, 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting[weight].push(waiter);
      serve();
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    /** Returns a resource at once, or null if no resource is free for this weight or a borrower waits. */
    borrowIdle(weight: Weight, prefers: (resource: T) => boolean): T | null {
      const isOpen = weight === 'light' || lentToHeavy < heavyLimit;
      if (!isOpen || waiting.light.length > 0 || waiting.heavy.length > 0) return null;
      return take(weight, prefers);
    },
    /** Ends a loan that was made with this weight. */
    release(resource: T, weight: Weight): void {
      if (weight === 'heavy') lentToHeavy--;
      free.push(resource);
      serve();
    },
    /**
     * Returns whether a borrower of this weight should return its resource to a waiter: light ones do so only for light
     * ones.
     */
    isWanted(weight: Weight): boolean {
      return waiting.light.length > 0 || (weight === 'heavy' && waiting.heavy.length > 0);
    },
    /** Returns whether a borrower waits. */
    isAwaited: () => waiting.light.length > 0 || waiting.heavy.length > 0,
  };
}

export type Lender<T> = ReturnType<typeof createLender<T>>;
