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

describe('a fresh cache with rules', () => {
  /** Creates a cache whose reads wait until the test ends them, and rules that the test changes. */
  function createRuled() {
    const rules = {
      usable: Number.NEGATIVE_INFINITY,
      wrong: Number.NEGATIVE_INFINITY,
      joinable: Number.NEGATIVE_INFINITY,
    };
    const reads: { resolve: (value: number | null) => void; reject: (error: Error) => void }[] = [];
    const cache = createFreshCache<number>({
      load: async ([key]) => {
        const { promise, resolve, reject } = Promise.withResolvers<number | null>();
        reads.push({ resolve, reject });
        const value = await promise;
        return new Map(value === null ? [] : [[key!, value]]);
      },
      freshMs: 600_000,
      maxEntries: 100,
      onFailure: () => undefined,
      rules: {
        usableSince: () => rules.usable,
        wrongBefore: () => rules.wrong,
        joinableSince: () => rules.joinable,
        changesWithAnySwap: (value) => value === null,
      },
    });
    /** Requests the key; the read that this starts finds `value`. */
    async function read(value: number | null) {
      const count = reads.length;
      const found = cache.get('a');
      await eventually(() => reads.length > count);
      reads.at(-1)!.resolve(value);
      return found;
    }
    return { cache, rules, reads, read };
  }

  test('a value that is known to be wrong is read again before it is returned', async () => {
    const { cache, rules, read } = createRuled();
    await read(1);
    expect(cache.get('a')).toBe(1);
    rules.wrong = performance.now();
    expect(await read(2)).toBe(2);
    expect(cache.get('a')).toBe(2);
  });

  test('after a push an absent key is read again before it is absent', async () => {
    const { cache, rules, read } = createRuled();
    await read(null);
    expect(cache.get('a')).toBeNull();
    rules.joinable = performance.now();
    expect(await read(1)).toBe(1);
  });

  test('a value that is known to be wrong is not returned while the source fails', async () => {
    const { cache, rules, reads, read } = createRuled();
    await read(1);
    rules.wrong = performance.now();
    const refused = expect(cache.get('a')).rejects.toBeInstanceOf(SourceUnavailable);
    await eventually(() => reads.length === 2);
    reads[1]!.reject(new Error('down'));
    await refused;
  });

  test('without the right to use the cache every request reads, and while the source fails it gets the last value', async () => {
    const { cache, rules, reads, read } = createRuled();
    await read(1);
    rules.usable = Number.POSITIVE_INFINITY;
    expect(await read(2)).toBe(2);
    expect(await read(3)).toBe(3);
    const last = cache.get('a');
    await eventually(() => reads.length === 4);
    reads[3]!.reject(new Error('down'));
    expect(await last).toBe(3);
  });

  test('a read that began before a push serves only the requests that came before it', async () => {
    const { cache, rules, reads } = createRuled();
    const early = cache.get('a');
    await eventually(() => reads.length === 1);
    rules.joinable = performance.now();
    rules.wrong = rules.joinable;
    const late = cache.get('a');
    reads[0]!.resolve(1);
    expect(await early).toBe(1);
    await eventually(() => reads.length === 2);
    reads[1]!.resolve(2);
    expect(await late).toBe(2);
  });
});
