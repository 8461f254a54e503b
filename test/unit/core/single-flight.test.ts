import { expect, test } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { createSingleFlight, rememberFor } from '../../../services/core/single-flight.ts';

/** Work that ends when told, and how often it began. */
function createWork() {
  const ends: PromiseWithResolvers<string>[] = [];
  const work = () => {
    ends.push(Promise.withResolvers<string>());
    return ends.at(-1)!.promise;
  };
  return { ends, work };
}

test('callers of one key share the work that is under way, and its error; the next one begins again', async () => {
  const once = createSingleFlight<string>();
  const { ends, work } = createWork();
  const asked = [once('a', work), once('a', work)];
  expect(ends).toHaveLength(1);
  ends[0]!.reject(new Error('down'));
  expect(await Promise.allSettled(asked)).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('down') }));
  const again = once('a', work);
  const other = once('b', work);
  expect(ends).toHaveLength(3);
  for (const { resolve } of ends) resolve('done');
  expect(await Promise.all([again, other])).toEqual(['done', 'done']);
});

test('many reads under way at once all get their value, whatever a cache has room for', async () => {
  const bodies = new LRUCache<string, string>({ maxSize: 10, sizeCalculation: (body) => body.length });
  const once = createSingleFlight<string>();
  const read = async (key: string) => {
    const body = await Promise.resolve('sixsix');
    bodies.set(key, body);
    return body;
  };
  const reads = Array.from({ length: 100 }, (_, n) => once(`k${n}`, () => read(`k${n}`)));
  expect(await Promise.all(reads)).toEqual(Array(100).fill('sixsix'));
});

test('why not the fetch of lru-cache: reads under way fail when others need their place', async () => {
  const bodies = new LRUCache<string, string>({
    maxSize: 10,
    sizeCalculation: (body) => body.length,
    fetchMethod: () => new Promise((resolve) => setImmediate(resolve, 'sixsix')),
  });
  const reads = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => bodies.fetch(`k${n}`)));
  expect(reads.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(90);
});

test('a value is read again only when it is old or could not be read', async () => {
  const { ends, work } = createWork();
  const known = rememberFor(3_600_000, work);
  const asked = [known(), known()];
  expect(ends).toHaveLength(1);
  ends[0]!.reject(new Error('down'));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  void known();
  expect(ends).toHaveLength(2);
  ends[1]!.resolve('value');
  expect(await known()).toBe('value');
  expect(ends).toHaveLength(2);
});

test('a value that is too old is read again', async () => {
  const { ends, work } = createWork();
  const known = rememberFor(-1, work); // everything is too old
  void known();
  void known();
  expect(ends).toHaveLength(2);
});
