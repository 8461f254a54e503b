import { expect, test } from '@jest/globals';
import { createPageStore } from '../../../services/build/page-store.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';

const pageBytes = 1024 * 1024;
const makePage = (n: number) => ({
  path: `/p${n}/`,
  data: Buffer.alloc(pageBytes, n),
  type: 'text/html',
  policy: null,
  reads: ['site', `item:${n}`],
});

/** A store whose writes end when the test says so. */
function openSlow() {
  const writes: { bytes: number; end: () => void }[] = [];
  async function putMany(list: readonly Buffer[]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    writes.push({ bytes: list.reduce((sum, { length }) => sum + length, 0), end: resolve });
    await promise;
    return list.map((data, n) => ({ hash: hashBytes(data), key: 'pack', offset: n, bytes: data.length }));
  }
  return { writes, putMany };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('finished pages are stored while others are made, one batch of at most a pack at a time', async () => {
  const { writes, putMany } = openSlow();
  const store = createPageStore({ putMany });
  let waits = 0;
  const lane = async (from: number) => {
    for (let n = from; n < from + 20; n++) {
      store.add(makePage(n));
      waits++;
      await store.flush();
      waits--;
    }
  };
  const lanes = Promise.all([lane(0), lane(20)]);
  await settled();
  expect(writes).toHaveLength(1);
  // both lanes wait until the batch before the one that they collect is stored
  expect(waits).toBe(2);
  for (let n = 0; waits > 0; n++) {
    expect(writes).toHaveLength(n + 1);
    expect(writes[n]!.bytes).toBeLessThanOrEqual(9 * pageBytes);
    writes[n]!.end();
    await settled();
  }
  await lanes;
  const finished = store.finish();
  for (let n = 0; n < writes.length; n++) {
    writes[n]!.end();
    await settled();
  }
  await finished;
  expect(store.pages.size).toBe(40);
  expect(store.reads.get('/p7/')).toEqual({ reads: ['site', 'item:7'] });
});

test('an error while a batch is stored is thrown by the next call', async () => {
  const store = createPageStore({ putMany: () => Promise.reject(new Error('the disk is full')) });
  for (let n = 0; n < 8; n++) store.add(makePage(n));
  await store.flush();
  for (let n = 8; n < 16; n++) store.add(makePage(n));
  await expect(store.flush()).rejects.toThrow('the disk is full');
  await expect(store.finish()).rejects.toThrow('the disk is full');
});
