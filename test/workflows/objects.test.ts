import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Problem } from '../../services/core/errors.ts';
import { hashBytes, MissingObject, type ObjectStore, openObjectStore } from '../../services/engines/objects/store.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, stackConfig, stackDatabase } from '../harness/api.ts';

afterAll(closeStack);

const openStore = (): ObjectStore => openObjectStore(stackConfig().objects, stackDatabase());
const mebibyte = 1024 * 1024;

/** Returns a stream of unknown length, with chunks of odd sizes. */
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

describe('the object store', () => {
  const store = openStore();

  test('names bytes by their hash and stores them once', async () => {
    const data = randomBytes(1000);
    const hash = await store.putBytes(data);
    expect(hash).toBe(hashBytes(data));
    const place = (await store.locate([hash])).get(hash);
    expect(await openStore().putBytes(data)).toBe(hash);
    expect((await store.locate([hash])).get(hash)).toEqual(place);
    expect(await openStore().getBytes(hash)).toEqual(data);
    expect(await store.has(hash)).toBe(true);
    expect(await store.has(hashBytes('never stored'))).toBe(false);
  });

  test('packs many small blobs into one object and reads each of them', async () => {
    const blobs = Array.from({ length: 300 }, (_, n) => randomBytes(n + 20));
    const places = await store.putMany([...blobs, blobs[7]!]);
    expect(new Set(places.map(({ key }) => key)).size).toBe(1);
    expect(places[300]).toEqual(places[7]);
    const read = await Promise.all(places.map((place) => openStore().readAt(place)));
    expect(read.map(hashBytes)).toEqual([...blobs, blobs[7]!].map(hashBytes));
  });

  test('splits packs that would grow too large', async () => {
    const places = await store.putMany(Array.from({ length: 5 }, () => randomBytes(3 * mebibyte)));
    expect(new Set(places.map(({ key }) => key)).size).toBe(3);
  });

  test('serves ranges of a blob inside a pack', async () => {
    const [, place] = await store.putMany([randomBytes(50), Buffer.from('0123456789'), randomBytes(50)]);
    expect((await buffer(await store.getAt(place!, { start: 2, end: 5 }))).toString()).toBe('2345');
    expect((await buffer(await store.getStream(place!.hash, { start: 8, end: 99 }))).toString()).toBe('89');
    expect((await buffer(await store.getAt(place!))).toString()).toBe('0123456789');
  });

  test('holds empty bytes', async () => {
    const hash = await store.putBytes(Buffer.alloc(0));
    expect(await store.getBytes(hash)).toHaveLength(0);
  });

  const sizes = [10, mebibyte - 1, mebibyte, 5 * mebibyte, 5 * mebibyte + 1, 8 * mebibyte, 21 * mebibyte + 3];
  test.each(sizes)('stores a stream of %i bytes under its hash, whatever is known of its length', async (size) => {
    for (const minBytes of [0, 1, size - 1, size]) {
      const data = randomBytes(size);
      const hash = hashBytes(data);
      expect(await store.putStream(streamOf(data), { maxBytes: size, minBytes })).toEqual({ hash, bytes: size });
      expect(hashBytes(await buffer(await store.getStream(hash)))).toBe(hash);
      const end = await buffer(await store.getStream(hash, { start: size - 3, end: size + 100 }));
      expect(end).toEqual(data.subarray(size - 3));
    }
  });

  test('keeps one copy of a large file that is sent twice at once', async () => {
    const data = randomBytes(9 * mebibyte);
    const results = await Promise.all(
      [1, 2].map(() => openStore().putStream(streamOf(data), { maxBytes: data.length })),
    );
    expect(results[0]).toEqual(results[1]);
    expect(hashBytes(await store.getBytes(results[0]!.hash))).toBe(results[0]!.hash);
  });

  test.each([100, 10 * mebibyte])('refuses a stream of more than %i bytes', async (maxBytes) => {
    const refused = store.putStream(streamOf(randomBytes(maxBytes + 1)), { maxBytes });
    await expect(refused).rejects.toMatchObject({ code: 'too_large', status: 413 });
  });

  test.each([50_000, 10 * mebibyte])('reports a sender that goes away after %i bytes', async (failAfter) => {
    const refused = store.putStream(streamOf(randomBytes(20 * mebibyte), failAfter), { maxBytes: 100 * mebibyte });
    await expect(refused).rejects.toThrow('the sender went away');
  });

  test('says when nothing is stored under a hash', async () => {
    const hash = hashBytes(randomBytes(8));
    await expect(store.getBytes(hash)).rejects.toBeInstanceOf(MissingObject);
    await expect(stackDatabase().transaction((tx) => store.pin(tx, [hash]))).rejects.toBeInstanceOf(MissingObject);
  });

  test('puts of the same new bytes by many writers all succeed', async () => {
    const data = randomBytes(100);
    const hashes = await Promise.all(Array.from({ length: 10 }, () => openStore().putBytes(data)));
    expect(new Set(hashes)).toEqual(new Set([hashBytes(data)]));
    expect(await openStore().getBytes(hashes[0]!)).toEqual(data);
  });
});

test('an object store that is away is a Problem `unavailable`', async () => {
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  const nowhere = { engine: 's3', bucket: 'b-1', accessKey: 'a', secretKey: 's', region: 'r', ca: undefined } as const;
  const store = openObjectStore({ ...nowhere, endpoint }, stackDatabase());
  const error = await store.putBytes(randomBytes(10)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: expect.any(Number) });
  await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.putStream(streamOf(randomBytes(9 * mebibyte)), { maxBytes: 1e9 })).rejects.toMatchObject({
    code: 'unavailable',
  });
});
