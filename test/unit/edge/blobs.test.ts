import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { createBlobCache } from '../../../services/edge/blobs.ts';
import type { Coding } from '../../../services/edge/encoding.ts';

function createStore(maxBytes: number) {
  const reads: string[] = [];
  const cache = createBlobCache(maxBytes);
  const get = (hash: string, coding: Coding) =>
    cache.get(hash, coding, async () => {
      reads.push(hash);
      if (hash === 'broken') throw new Error('unreadable');
      return Buffer.from(hash.repeat(100));
    });
  return { blobs: { get, counts: cache.counts }, reads };
}

describe('the cache of bodies', () => {
  test('many requests for one body cause one read, in whatever coding', async () => {
    const { blobs, reads } = createStore(1_000_000);
    const [plain, br, gz] = await Promise.all([
      blobs.get('h', 'identity'),
      blobs.get('h', 'br'),
      blobs.get('h', 'gzip'),
      blobs.get('h', 'br'),
    ]);
    expect(reads).toEqual(['h']);
    expect(brotliDecompressSync(br)).toEqual(plain);
    expect(gunzipSync(gz)).toEqual(plain);
    expect(blobs.get('h', 'br')).toBe(br);
  });

  test('the same body compresses to the same bytes on every replica', async () => {
    const [one, two] = [createStore(1_000_000), createStore(1_000_000)];
    expect(await one.blobs.get('h', 'gzip')).toEqual(await two.blobs.get('h', 'gzip'));
  });

  test('memory stays within its bound', async () => {
    const { blobs } = createStore(2000);
    for (let index = 0; index < 100; index++) await blobs.get(`h${index}`, 'identity');
    expect(blobs.counts().cachedBytes).toBeLessThanOrEqual(2000);
  });

  test('a body that cannot be read is asked for again', async () => {
    const { blobs, reads } = createStore(2000);
    await expect(blobs.get('broken', 'br')).rejects.toThrow('unreadable');
    await expect(blobs.get('broken', 'br')).rejects.toThrow('unreadable');
    expect(reads).toEqual(['broken', 'broken']);
  });
});
