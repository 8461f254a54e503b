import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { ShortStream } from '../../services/engines/objects/chunk-reader.ts';
import type { KeyedStore } from '../../services/engines/objects/keyed-store.ts';

const mebibyte = 1024 * 1024;

/** Returns a stream with chunks of odd sizes. */
function streamOf(bytes: Buffer, failAfter = Number.POSITIVE_INFINITY): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += 77_777) {
        if (at >= failAfter) throw new Error('the sender went away');
        yield bytes.subarray(at, at + 77_777);
      }
    })(),
  );
}

async function keysOf(store: KeyedStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
}

/** Defines the tests that every keyed store must pass. `open` opens the same store each time. */
export function testKeyedStore(open: () => KeyedStore): void {
  const store = (): KeyedStore => open();
  const fresh = () => `c-${randomUUID()}/object`;

  test('a stored object can be read whole, in ranges and as a stream, also by another client', async () => {
    const key = fresh();
    const data = randomBytes(100_000);
    await store().put(key, data);
    const other = store();
    expect((await other.get(key))!.equals(data)).toBe(true);
    expect(await other.size(key)).toBe(data.length);
    expect((await buffer((await other.getStream(key))!)).equals(data)).toBe(true);
    for (const [start, end] of [
      [0, 0],
      [5, 99],
      [70_000, 99_999],
      [99_990, 200_000],
      [100_000, 100_005],
      [150_000, 200_000],
    ] as const) {
      const part = data.subarray(start, end + 1);
      expect((await other.get(key, { start, end }))!.equals(part)).toBe(true);
      expect((await buffer((await other.getStream(key, { start, end }))!)).equals(part)).toBe(true);
    }
  });

  test('an empty object can be stored', async () => {
    const key = fresh();
    await store().put(key, Buffer.alloc(0));
    expect(await store().get(key)).toEqual(Buffer.alloc(0));
    expect(await store().size(key)).toBe(0);
  });

  test('the last write replaces the earlier ones', async () => {
    const key = fresh();
    await store().put(key, Buffer.from('first, and longer'));
    await store().put(key, Buffer.from('second'));
    expect(String(await store().get(key))).toBe('second');
  });

  test('a missing object is null, and removing it succeeds', async () => {
    const key = fresh();
    expect(await store().get(key)).toBeNull();
    expect(await store().getStream(key, { start: 0, end: 3 })).toBeNull();
    expect(await store().size(key)).toBeNull();
    await store().remove([key]);
    await store().put(key, Buffer.from('x'));
    await store().remove([key, fresh()]);
    expect(await store().get(key)).toBeNull();
  });

  test('a list has each object below a prefix once, with its size and time, and no others', async () => {
    const folder = `c-${randomUUID()}`;
    const keys = ['a/1', 'a/2', 'a/b/3', 'ab/4', 'b/5', '6'].map((name) => `${folder}/${name}`);
    for (const [bytes, key] of keys.entries()) await store().put(key, randomBytes(bytes));
    expect(await keysOf(store(), `${folder}/`)).toEqual([...keys].sort());
    expect(await keysOf(store(), `${folder}/a`)).toEqual(keys.slice(0, 4));
    expect(await keysOf(store(), `${folder}/a/`)).toEqual(keys.slice(0, 3));
    expect(await keysOf(store(), `${folder}/nothing/`)).toEqual([]);
    for await (const { key, bytes, modifiedAt } of store().list(`${folder}/`)) {
      expect(bytes).toBe(keys.indexOf(key));
      expect(Math.abs(modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
    await store().remove(keys);
    expect(await keysOf(store(), `${folder}/`)).toEqual([]);
  });

  describe('a stream', () => {
    const sizes = [0, 10, 5 * mebibyte - 1, 5 * mebibyte, 5 * mebibyte + 1, 21 * mebibyte + 3];
    test.each(sizes)('of %i bytes is stored, whatever is known of its length', async (size) => {
      const data = randomBytes(size);
      for (const length of [{}, { bytes: size }, { minBytes: size }, { minBytes: Math.floor(size / 2) }]) {
        const key = fresh();
        await store().putStream(key, streamOf(data), length);
        expect(await store().size(key)).toBe(size);
        expect((await store().get(key))!.equals(data)).toBe(true);
        await store().remove([key]);
      }
    });

    test.each([0, 12 * mebibyte])('whose sender goes away after %i bytes leaves nothing behind', async (failAfter) => {
      const key = fresh();
      for (const length of [{}, { minBytes: 6 * mebibyte }, { bytes: 20 * mebibyte }]) {
        const source = streamOf(randomBytes(20 * mebibyte), failAfter);
        await expect(store().putStream(key, source, length)).rejects.toThrow('the sender went away');
      }
      expect(await store().get(key)).toBeNull();
    });

    test('that ends before its length leaves nothing behind', async () => {
      const key = fresh();
      for (const length of [{ bytes: 100 }, { bytes: 9 * mebibyte }, { minBytes: 9 * mebibyte }]) {
        const source = streamOf(randomBytes(Math.floor((length.bytes ?? length.minBytes) / 2)));
        await expect(store().putStream(key, source, length)).rejects.toBeInstanceOf(ShortStream);
      }
      expect(await store().get(key)).toBeNull();
    });
  });

  test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/.b', '.a', 'a\\b', 'a\0b', 'ä', 'a/~b'])(
    'a key that is not valid in every store is rejected: %j',
    async (key) => {
      const refusal = /cannot be the key of an object/;
      const source = streamOf(Buffer.from('x'));
      await expect((async () => store().put(key, Buffer.from('x')))()).rejects.toThrow(refusal);
      await expect((async () => store().putStream(key, source))()).rejects.toThrow(refusal);
      await expect((async () => store().get(key))()).rejects.toThrow(refusal);
      await expect((async () => store().remove([key]))()).rejects.toThrow(refusal);
    },
  );

  test('concurrent writes do not affect each other', async () => {
    const folder = `c-${randomUUID()}`;
    const work = Array.from({ length: 40 }, async (_, n) => {
      const key = `${folder}/${n % 4}/${randomUUID()}`;
      await store().put(key, Buffer.from(key));
      expect(String(await store().get(key))).toBe(key);
      if (n % 2) await store().remove([key]);
    });
    await Promise.all(work);
    expect(await keysOf(store(), folder)).toHaveLength(20);
  });

  test('creating the bucket or folder again changes nothing', async () => {
    const key = fresh();
    await store().put(key, Buffer.from('kept'));
    await store().ensure();
    expect(await store().ping()).toBe(true);
    expect(String(await store().get(key))).toBe('kept');
  });
}
