/**
 * Who may use a renderer next. A site is light until it has used its share, then heavy for a while: some renderers serve light sites
 * only, so that pages without end of one site never keep the short build of another waiting, and heavy sites take turns.
 */
export type Weight = 'light' | 'heavy';

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
    borrow(weight: Weight, prefers: (resource: T) => boolean): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>();
      waiting[weight].push({ resolve, prefers });
      serve();
      return promise;
    },
    /** Ends a loan that was made under this weight. */
    giveBack(resource: T, weight: Weight): void {
      if (weight === 'heavy') lentToHeavy--;
      free.push(resource);
      serve();
    },
    /** Whether somebody waits who could use what a borrower of this weight has. */
    isWanted(weight: Weight): boolean {
      return waiting.light.length > 0 || (waiting.heavy.length > 0 && (weight === 'heavy' || lentToHeavy < heavyLimit));
    },
  };
}

export type Lender<T> = ReturnType<typeof createLender<T>>;
