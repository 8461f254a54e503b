import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import type { KeyedStore } from '../../../services/engines/objects/keyed-store.ts';
import { uploadStream } from '../../../services/engines/objects/stream-upload.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const mebibyte = 1024 * 1024;
const bytesOf = (count: number) =>
  Buffer.from(Array.from({ length: 251 }, (_, n) => n))
    .toString('latin1')
    .repeat(Math.ceil(count / 251))
    .slice(0, count);

function streamOf(data: Buffer): Readable {
  const pieces: Buffer[] = [];
  for (let at = 0; at < data.length; at += 65_000) pieces.push(data.subarray(at, at + 65_000));
  return Readable.from(pieces);
}

const storeWith = (putStream: KeyedStore['putStream']) => ({ stored: { putStream } as KeyedStore, key: 'blob' });

test.each([0, 1, 300_000, mebibyte - 1, mebibyte, 3 * mebibyte])(
  'a stream of %d bytes of unknown length comes whole',
  async (count) => {
    const data = Buffer.from(bytesOf(count), 'latin1');
    const stored: Buffer[] = [];
    const store = storeWith(async (_key, source) => {
      for await (const piece of source) stored.push(Buffer.from(piece));
    });
    const uploaded = await uploadStream(store, streamOf(data), { maxBytes: 10 * mebibyte });
    expect(uploaded).toMatchObject({ bytes: count, hash: createHash('sha256').update(data).digest('hex') });
    expect((uploaded.held ?? Buffer.concat(stored)).equals(data)).toBe(true);
  },
);

// rule: threat.43
test('what is held of the beginning is free again while the rest comes', async () => {
  const seen: WeakRef<ArrayBufferLike>[] = [];
  const store = storeWith(async (_key, source) => {
    for await (const piece of source) seen.push(new WeakRef(piece.buffer));
  });
  let atTheEnd = -1;
  async function* slow() {
    for (let n = 0; n < 40; n++) yield Buffer.alloc(65_536, n);
    await sleep(50);
    collectGarbage();
    atTheEnd = seen.slice(0, 4).filter((ref) => ref.deref() !== undefined).length;
  }
  await uploadStream(store, Readable.from(slow()), { maxBytes: 10 * mebibyte });
  expect(atTheEnd).toBe(0);
});
