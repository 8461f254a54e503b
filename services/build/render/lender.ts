/**
 * Who may use a renderer next. A site is light until it has used its share, then heavy for a while: some renderers serve light sites
 * only, so that pages without end of one site never keep the short build of another waiting, and heavy sites take turns.
 */
export type Weight = 'light' | 'heavy';

/** How long a loan lasts while others wait. Heavy sites have longer turns, since opening a large site again takes time, too. */
const turnMs: Record<Weight, number> = { light: 500, heavy: 5_000 };

/** What is known of a loan after one of its calls. */
export interface LoanState {
  weight: Weight;
  heldMs: number;
  /** The borrower has used up its share as a light one. */
  isHeavyNow: boolean;
  /** Somebody waits for it: see `isWanted`. */
  isWanted: boolean;
  /** A page waits for what it asked for, which it would have to ask for again elsewhere. */
  isAsking: boolean;
}

/** Whether a borrower has to make room for others now. */
export function isTurnOver({ weight, heldMs, isHeavyNow, isWanted, isAsking }: LoanState): boolean {
  if (weight === 'light' && isHeavyNow) return true;
  return isWanted && !isAsking && heldMs > turnMs[weight];
}

interface Waiter<T> {
  resolve(resource: T): void;
  /** The resource that it would rather have, since it has used it before. */
  prefers(resource: T): boolean;
}

/** Lends out resources one at a time, in the order of asking; at most `heavyLimit` of them at once to heavy borrowers. */
export function createLender<T>(resources: readonly T[], heavyLimit: number) {
  const free = [...resources];
  const waiting: Record<Weight, Waiter<T>[]> = { light: [], heavy: [] };
  let lentToHeavy = 0;

  const nextWeight = (): Weight | null => {
    if (waiting.light.length > 0) return 'light';
    return waiting.heavy.length > 0 && lentToHeavy < heavyLimit ? 'heavy' : null;
  };

  function serve(): void {
    for (let weight = nextWeight(); weight && free.length > 0; weight = nextWeight()) {
      const { resolve, prefers } = waiting[weight].shift()!;
      const known = free.findIndex(prefers);
      const [resource] = free.splice(known < 0 ? free.length - 1 : known, 1);
      if (weight === 'heavy') lentToHeavy++;
      resolve(resource!);
    }
  }

  return {
    /** Resolves when it is the borrower's turn. Rejects with the signal's reason when that is aborted before. */
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
    /** Ends a loan that was made under this weight. */
    giveBack(resource: T, weight: Weight): void {
      if (weight === 'heavy') lentToHeavy--;
      free.push(resource);
      serve();
    },
    /** Whether somebody waits for whom a borrower of this weight makes room: light ones do so only for each other. */
    isWanted(weight: Weight): boolean {
      return waiting.light.length > 0 || (weight === 'heavy' && waiting.heavy.length > 0);
    },
  };
}

export type Lender<T> = ReturnType<typeof createLender<T>>;
