import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createItemReader } from '../../../services/build/item-cache.ts';
import { storeTree } from '../../../services/build/release-tree/store-tree.ts';
import type { Db } from '../../../services/core/db.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';

const published = new Date('2026-01-01T00:00:00Z');

/** A table of published items; records how many rows each query returned. */
function openTable(count: number) {
  const ids = Array.from({ length: count }, () => randomUUID());
  const returned: number[] = [];
  const rowOf = (id: string) => ({ id, revision: 1, created_at: published, published_at: published, created_us: 1 });
  const query = async (text: string, values: unknown[]) => {
    if (text.includes('string_agg')) return [{ names: ids.map((id) => `${id}:1`).join(',') }];
    const rows = (values[0] as string[]).map(rowOf);
    returned.push(rows.length);
    return rows;
  };
  return { ids, returned, db: { query: query as never } satisfies Db };
}

test('the rows of a large site are read some at a time, each once', async () => {
  const { ids, returned, db } = openTable(5_001);
  const reader = createItemReader();
  const items = await reader.readPublished(db, 'site');
  expect(items.map(({ id }) => id)).toEqual(ids);
  expect(returned).toEqual([2_000, 2_000, 1_001]);
  const again = await reader.readPublished(db, 'site');
  expect(again).toEqual(items);
  expect(returned).toHaveLength(3);
});

test('chunks of a large release are written about a pack at a time, and each has its place', async () => {
  const leaves = Array.from({ length: 12 }, (_, n) => ({ content: `${n}`.repeat(2_000_000), place: null }));
  const puts: number[] = [];
  const objects = {
    async putMany(list: readonly Buffer[]) {
      puts.push(list.reduce((sum, { length }) => sum + length, 0));
      return list.map((data) => ({ hash: hashBytes(data), key: `pack-${puts.length}`, offset: 0, bytes: data.length }));
    },
    pinStored: async () => new Map(),
  };
  const { tree, added } = await storeTree({ db: {} as never, objects }, { bits: 4, leaves: [null, ...leaves] });
  expect(puts.length).toBeGreaterThan(2);
  for (const bytes of puts) expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(added).toHaveLength(12);
  const places = tree.leaves.slice(1).map((leaf) => leaf!.place!.hash);
  expect(places).toEqual(leaves.map(({ content }) => hashBytes(JSON.stringify(content))));
});
