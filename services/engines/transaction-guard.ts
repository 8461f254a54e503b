import { AsyncLocalStorage } from 'node:async_hooks';

const transactions = new AsyncLocalStorage<true>();

/** Runs the work of a transaction, and marks it and all that it starts for `forbidInTransaction`. */
export function guardTransaction<T>(work: () => Promise<T>): Promise<T> {
  return transactions.run(true, work);
}

/**
 * Throws inside a guarded transaction: it holds locks and a connection, and may run again, so slow work belongs before
 * it, in `prepare` (docs/decisions/0141). Transactions are guarded only in tests
 * (`FIELDSTONE_TEST_GUARD_TRANSACTIONS`).
 */
export function forbidInTransaction(what: string): void {
  if (transactions.getStore()) throw new Error(`${what} inside a transaction: do it before, in prepare.`);
}
