import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { withFallback } from '../../../services/engines/objects/fallback.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';

let folder: string;
let asked: number;
let fallback: 'files' | 's3' | null;

const settings = (name: string) => ({ engine: 'files', folder: path.join(folder, name), minFreeBytes: 0 }) as const;
const db: Db = {
  async query() {
    asked++;
    return [{ actors: 'embedded', objects: 's3', fallback }] as never;
  },
};
const present = () => openKeyedStore(settings('present'));
const before = () => openKeyedStore(settings('before'));
const open = () => withFallback(present(), settings('before'), db);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-fallback-'));
  [asked, fallback] = [0, 'files'];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what the present store has is read there, without asking SQL', async () => {
  await present().put('k', Buffer.from('present'));
  await before().put('k', Buffer.from('before'));
  expect(String(await open().get('k'))).toBe('present');
  expect(asked).toBe(0);
});

test('what it lacks is read from the store before, whole, in ranges and as a stream', async () => {
  await before().put('k', Buffer.from('0123456789'));
  const store = open();
  expect(String(await store.get('k'))).toBe('0123456789');
  expect(String(await store.get('k', { start: 2, end: 4 }))).toBe('234');
  expect(String(await buffer((await store.getStream('k', { start: 8, end: 99 }))!))).toBe('89');
  expect(await store.size('k')).toBe(10);
  expect(asked).toBe(1);
});

test('what neither has is not there', async () => {
  expect(await open().get('k')).toBeNull();
  expect(await open().getStream('k')).toBeNull();
});

test('writes and removals are the present store’s alone', async () => {
  const store = open();
  await before().put('old', Buffer.from('old'));
  await store.put('new', Buffer.from('new'));
  await store.putStream('streamed', Readable.from([Buffer.from('streamed')]));
  await store.remove(['old']);
  expect(await before().get('new')).toBeNull();
  expect(await before().get('streamed')).toBeNull();
  expect(String(await before().get('old'))).toBe('old');
  expect(String(await present().get('new'))).toBe('new');
});

test.each([null, 's3'] as const)('nothing is read from it when SQL says %s', async (recorded) => {
  fallback = recorded;
  await before().put('k', Buffer.from('before'));
  expect(await open().get('k')).toBeNull();
});
