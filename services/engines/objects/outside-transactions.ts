import { forbidInTransaction } from '../transaction-guard.ts';

/**
 * Methods that access the store, or its own database connections. `pin` and `pinStored` run on the caller's
 * connection, and belong there.
 */
const requests = [
  ...(['putBytes', 'putMany', 'putStream', 'getBytes', 'getStream', 'getAt', 'readAt'] as const),
  ...(['locate', 'has', 'removeObjects'] as const),
];

type Requests = Record<(typeof requests)[number], (...args: never[]) => unknown>;

/** Wraps the store so that it forbids requests inside guarded transactions. */
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
