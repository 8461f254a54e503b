import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createGuardedFetcher } from '../../../services/engines/fetch/fetcher.ts';
import { outsideTransactions } from '../../../services/engines/objects/outside-transactions.ts';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import { createThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { guardTransaction } from '../../../services/engines/transaction-guard.ts';
import { createBodyCleaner } from '../../../services/features/content/body/cleaner.ts';

const requested: string[] = [];
const store = outsideTransactions({
  getBytes: async (hash: string) => {
    requested.push(`get ${hash}`);
    return Buffer.from('x');
  },
  putBytes: async () => {
    requested.push('put');
    return 'hash';
  },
  pin: async () => new Map(),
} as unknown as ObjectStore);
const fetcher = createGuardedFetcher({ allow: [], userAgent: 'test' });
const threads = createThreadPool();
const cleaner = createBodyCleaner(threads);

test.each([
  ['storing an object', () => store.putBytes(Buffer.from('x'))],
  ['reading an object', () => store.getBytes('a')],
  ['a fetch', () => fetcher.open('https://www.example.com/', { maxBytes: 1 })],
  ['sanitizing', () => cleaner.clean('key', ['<p>x</p>'])],
])('%s inside a guarded transaction fails and is not begun', async (_name, work) => {
  requested.length = 0;
  const violation = guardTransaction(async () => {
    await sleep(1); // the guard follows what the transaction awaits
    return work();
  });
  await expect(violation).rejects.toThrow('inside a transaction: do it before, in prepare.');
  expect(requested).toEqual([]);
});

test('pins belong in the transaction that refers to the objects', async () => {
  await expect(guardTransaction(() => store.pin({ query: async () => [] }, ['a']))).resolves.toEqual(new Map());
});

test('before and after a transaction requests are free', async () => {
  requested.length = 0;
  await store.getBytes('before');
  await guardTransaction(async () => undefined);
  await store.getBytes('after');
  expect(requested).toEqual(['get before', 'get after']);
});
