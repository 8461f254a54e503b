import { expect, test } from '@jest/globals';
import { withHeldObjects } from '../../../services/engines/objects/held-objects.ts';
import { outsideTransactions } from '../../../services/engines/objects/outside-transactions.ts';
import type { ObjectStore } from '../../../services/engines/objects/store.ts';
import { MissingObject } from '../../../services/engines/objects/store.ts';
import { guardTransaction } from '../../../services/engines/transaction-guard.ts';

const stored: Record<string, string> = { a: 'one', b: 'two' };
const store = outsideTransactions({
  async getBytes(hash: string) {
    if (!stored[hash]) throw new MissingObject(hash);
    return Buffer.from(stored[hash]);
  },
} as unknown as ObjectStore);

test('objects that a transaction needs are read outside of it, and it runs again with them', async () => {
  let runs = 0;
  const text = await withHeldObjects(store, (held) =>
    guardTransaction(async () => {
      runs++;
      return `${await held.getBytes('a')} ${await held.getBytes('b')}`;
    }),
  );
  expect([text, runs]).toEqual(['one two', 3]);
});

test('work that needs none runs once', async () => {
  let runs = 0;
  await withHeldObjects(store, async () => runs++);
  expect(runs).toBe(1);
});

test('the work hears of an object that is missing, and may do without', async () => {
  const withoutIt = withHeldObjects(store, (held) =>
    held.getBytes('lost').catch((error: unknown) => {
      if (error instanceof MissingObject) return 'none';
      throw error;
    }),
  );
  await expect(withoutIt).resolves.toBe('none');
  await expect(withHeldObjects(store, (held) => held.getBytes('lost'))).rejects.toThrow(MissingObject);
});

test('an error of the work or of the store ends it', async () => {
  await expect(withHeldObjects(store, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const down = { getBytes: () => Promise.reject(new Error('down')) };
  await expect(withHeldObjects(down, (held) => held.getBytes('a'))).rejects.toThrow('down');
});
