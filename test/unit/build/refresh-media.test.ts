import { expect, test } from '@jest/globals';
import { refreshMedia } from '../../../services/build/media-progress.ts';
import type { MediaInput } from '../../../services/build/model.ts';
import type { Db } from '../../../services/core/db.ts';

const variant = (hash: string) => ({ format: 'webp', width: 8, height: 6, bytes: 1, hash });
const released: MediaInput = {
  id: 'one',
  revision: 1,
  kind: 'image',
  filename: 'first.jpg',
  mime_type: 'image/jpeg',
  bytes: 10,
  sha256: 'first',
  width: 8,
  height: 6,
  duration: null,
  alt: 'Published words',
  decorative: false,
  status: 'processing',
  variants: [],
  placeholder: null,
  focal_point: null,
};

/** Refreshes the released item while its row is `row`. */
const refresh = (row: object) =>
  refreshMedia({ query: async () => [{ ...released, previous: null, ...row }] } as unknown as Db, [released]);

test('an item gets the variants made since, and keeps its description', async () => {
  const made = { status: 'ready', variants: [variant('a')], alt: 'Other words' };
  expect(await refresh(made)).toEqual([{ ...released, status: 'ready', variants: [variant('a')] }]);
});

test('an item whose file was replaced once it was ready has the variants of the released file', async () => {
  const { id: _id, revision: _revision, kind: _kind, ...file } = released;
  const previous = { ...file, status: 'ready', variants: [variant('a')], alt: 'Former words', work: null };
  const replaced = { sha256: 'second', filename: 'second.jpg', variants: [variant('b')], status: 'ready', previous };
  expect(await refresh(replaced)).toEqual([{ ...released, status: 'ready', variants: [variant('a')] }]);
});

test('an item whose released file never gets variants is left out, instead of showing the new file', async () => {
  const replaced = { sha256: 'second', status: 'ready', variants: [variant('b')] };
  const former = { sha256: 'first', status: 'processing', variants: [] };
  expect(await refresh({ ...replaced, previous: former })).toEqual([]);
  expect(await refresh({ ...replaced, previous: { ...former, sha256: 'other', status: 'ready' } })).toEqual([]);
  expect(await refresh(replaced)).toEqual([]);
});
