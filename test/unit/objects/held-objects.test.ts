import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { loadTree } from '../../../services/build/release-tree/store-tree.ts';
import type { ChunkRef } from '../../../services/build/release-tree/tree.ts';
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

test('a tree of chunks is requested as a whole, however many chunks it has', async () => {
  const chunks = Array.from({ length: 100 }, (_, n): ChunkRef => [`chunk-${n}`, 2, 'pack', 0]);
  let [runs, reads, atOnce, most] = [0, 0, 0, 0];
  const objects = {
    async getBytes(hash: string) {
      reads++;
      most = Math.max(most, ++atOnce);
      await setImmediate();
      atOnce--;
      return Buffer.from(JSON.stringify(hash));
    },
  };
  const tree = await withHeldObjects(objects, (held) => {
    runs++;
    return loadTree(held, { bits: 0, chunks });
  });
  expect(tree.leaves.map((leaf) => leaf?.content)).toEqual(chunks.map(([hash]) => hash));
  expect({ runs, reads }).toEqual({ runs: 2, reads: 100 });
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(100);
});

test('a lost chunk ends the reading of a tree', async () => {
  const objects = { getBytes: async (hash: string) => Promise.reject(new MissingObject(hash)) };
  const stored = { bits: 0, chunks: [['lost', 2, 'pack', 0] as ChunkRef] };
  await expect(withHeldObjects(objects, (held) => loadTree(held, stored))).rejects.toThrow(MissingObject);
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
