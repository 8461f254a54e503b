import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createFreshCache, SourceUnavailable } from '../../../services/edge/fresh-cache.ts';

/** By default fresh for longer than any test takes. */
function createSource(freshMs = 600_000) {
  const reads: string[][] = [];
  const truth = new Map<string, number>();
  const failures: unknown[] = [];
  const source = { down: false, reads, truth, failures };
  const cache = createFreshCache<number>({
    load: async (keys) => {
      reads.push(keys);
      await sleep(5);
      if (source.down) throw new Error('down');
      return new Map([...truth].filter(([key]) => keys.includes(key)));
    },
    freshMs,
    maxEntries: 100,
    onFailure: (error) => failures.push(error),
  });
  return { cache, source };
}

async function eventually(check: () => Promise<boolean> | boolean) {
  for (let tries = 0; tries < 400; tries++) {
    if (await check()) return;
    await sleep(5);
  }
  throw new Error('This never came true.');
}

describe('a fresh cache', () => {
  test('many requests for one key cause one read', async () => {
    const { cache, source } = createSource();
    source.truth.set('a', 1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
    expect(new Set(answers)).toEqual(new Set([1]));
    expect(source.reads).toEqual([['a']]);
  });

  test('keys wanted while a read is under way share the next one', async () => {
    const { cache, source } = createSource();
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => cache.get(key)));
    expect(source.reads).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('a known answer is given at once, an absent key as null', async () => {
    const { cache, source } = createSource();
    source.truth.set('a', 1);
    await cache.get('a');
    expect(cache.get('a')).toBe(1);
    expect(await cache.get('absent')).toBeNull();
    expect(cache.get('absent')).toBeNull();
  });

  test('after a pause the old answer is never given', async () => {
    const { cache, source } = createSource(40);
    source.truth.set('a', 1);
    await cache.get('a');
    source.truth.set('a', 2);
    await sleep(60);
    expect(await cache.get('a')).toBe(2);
  });

  test('while the source is down what was known is served, and news follow its recovery', async () => {
    const { cache, source } = createSource(40);
    source.truth.set('a', 1);
    await cache.get('a');
    source.down = true;
    await sleep(60);
    expect(await cache.get('a')).toBe(1);
    expect(await cache.get('a')).toBe(1);
    expect(source.failures).toHaveLength(1);
    source.truth.set('a', 2);
    source.down = false;
    await eventually(async () => (await cache.get('a')) === 2);
  });

  test('an unknown key is unavailable while the source is down, and is found once it is back', async () => {
    const { cache, source } = createSource();
    source.truth.set('a', 1);
    source.down = true;
    await expect(cache.get('a')).rejects.toBeInstanceOf(SourceUnavailable);
    source.down = false;
    await eventually(async () => (await Promise.resolve(cache.get('a')).catch(() => 0)) === 1);
  });
});
