import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findDamaged } from '../../../services/engines/objects/copy/verify-object.ts';
import { openFileStore } from '../../../services/engines/objects/files/store.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fs-verify-'));
const store = openFileStore({ folder, minFreeBytes: 0 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a pack of blobs of these sizes, as stored and as recorded in SQL. */
async function makePack(sizes: readonly number[]) {
  const key = `packs/${randomBytes(8).toString('hex')}`;
  const data = sizes.map((bytes) => randomBytes(bytes));
  let offset = 0;
  const blobs = data.map((bytes) => {
    const place = { hash: hashBytes(bytes), key, offset, bytes: bytes.length };
    offset += bytes.length;
    return place;
  });
  const body = Buffer.concat(data);
  await store.put(key, body);
  return { key, blobs, body };
}

// file blocks are 64 KiB: blobs within one, over several, at their borders, and empty
const sizes = [0, 10, 65_526, 65_536, 0, 200_000, 1, 0];

test('an object that is as it was stored has no damaged blob', async () => {
  const { key, blobs } = await makePack(sizes);
  expect(await findDamaged(store, key, blobs)).toEqual([]);
});

test('blobs that were collected, and bytes behind the last one, are not looked at', async () => {
  const { key, blobs, body } = await makePack(sizes);
  const changed = Buffer.concat([body, Buffer.alloc(100)]);
  changed[blobs[2]!.offset + 5]! ^= 1;
  await store.put(key, changed);
  expect(await findDamaged(store, key, blobs.toSpliced(2, 1))).toEqual([]);
});

test('each blob with another byte is named, and no other', async () => {
  for (const damaged of [1, 2, 3, 5, 6]) {
    const { key, blobs, body } = await makePack(sizes);
    const { offset, bytes, hash } = blobs[damaged]!;
    body[offset + bytes - 1]! ^= 1;
    await store.put(key, body);
    expect(await findDamaged(store, key, blobs)).toEqual([hash]);
  }
});

test('an object that ends too early lacks the blobs behind its end', async () => {
  const { key, blobs, body } = await makePack(sizes);
  await store.put(key, body.subarray(0, blobs[5]!.offset + 100));
  expect((await findDamaged(store, key, blobs)).sort()).toEqual([5, 6, 7].map((n) => blobs[n]!.hash).sort());
});

test('of an object that is not there every blob is missing', async () => {
  const { key, blobs } = await makePack([1, 2]);
  await store.remove([key]);
  expect(await findDamaged(store, key, blobs)).toEqual(blobs.map(({ hash }) => hash));
});
