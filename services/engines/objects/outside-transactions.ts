import { forbidInTransaction } from '../transaction-guard.ts';
import type { ObjectStore } from './store.ts';

/** What asks the store, or its own connections to the database. `pin` runs on the caller's transaction, and belongs there. */
const requests = [
  ...(['putBytes', 'putMany', 'putStream', 'getBytes', 'getStream', 'getAt', 'readAt'] as const),
  ...(['locate', 'has', 'removeObjects'] as const),
];

/** The store, which forbids requests inside guarded transactions. */
export function outsideTransactions(store: ObjectStore): ObjectStore {
  const guard =
    <Args extends unknown[], R>(name: string, request: (...args: Args) => R) =>
    (...args: Args): R => {
      forbidInTransaction(`A request to the object store (${name})`);
      return request(...args);
    };
  const guarded = requests.map((name) => [name, guard(name, store[name] as (...args: unknown[]) => unknown)]);
  return { ...store, ...Object.fromEntries(guarded) };
}
