import { forbidInTransaction } from '../transaction-guard.ts';

/** What asks the store, or its own connections to the database. `pin` runs on the caller's transaction, and belongs there. */
const requests = [
  ...(['putBytes', 'putMany', 'putStream', 'getBytes', 'getStream', 'getAt', 'readAt'] as const),
  ...(['locate', 'has', 'removeObjects'] as const),
];

type Requests = Record<(typeof requests)[number], (...args: never[]) => unknown>;

/** The store, which forbids requests inside guarded transactions. */
export function outsideTransactions<Store extends Requests>(store: Store): Store {
  const guarded = requests.map((name) => {
    const request = (...args: never[]) => {
      forbidInTransaction(`A request to the object store (${name})`);
      return store[name](...args);
    };
    return [name, request];
  });
  return { ...store, ...Object.fromEntries(guarded) };
}
