import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createBodyReader } from '../../services/build/bodies.ts';
import { createItemReader } from '../../services/build/item-cache.ts';
import type { ItemInput } from '../../services/build/model.ts';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { closeStack, makeSite, stackConfig, type TestSite } from '../harness/api.ts';
import { createItem } from './helpers.ts';

const db = openDatabase({ ...stackConfig(), databasePoolSize: 2 });
let site: TestSite;

beforeAll(async () => {
  site = await makeSite();
  for (const n of [1, 2, 3]) {
    await createItem(site, {
      title: `Item ${n}`,
      body_html: `<p>${n}</p>`,
      tags: ['x'],
      published_at: `2026-01-0${n}T00:00:00Z`,
    });
  }
});

afterAll(async () => {
  await db.close();
  await closeStack();
});

const read = (reader: ReturnType<typeof createItemReader>) => db.transaction((tx) => reader.readPublished(tx, site.id));
const titles = (items: readonly ItemInput[]) => items.map(({ title }) => title).sort();

test('a build reads every item although it remembers fewer than there are', async () => {
  const reader = createItemReader(2);
  expect(titles(await read(reader))).toEqual(['Item 1', 'Item 2', 'Item 3']);
  await createItem(site, { title: 'Item 4' });
  expect(titles(await read(reader))).toEqual(['Item 1', 'Item 2', 'Item 3', 'Item 4']);
});

test('it reads every body although it remembers fewer characters than one has', async () => {
  const items = await read(createItemReader());
  const readBodies = createBodyReader(db, openObjectStore(stackConfig().objects, db), 1);
  const bodies = await readBodies(items);
  expect(items.map(({ id, title }) => [title, bodies.get(id)]).sort()).toEqual(
    expect.arrayContaining([1, 2, 3].map((n) => [`Item ${n}`, `<p>${n}</p>`])),
  );
});

test('an item read as it was published is the same, to the letter, as one that is read as it is', async () => {
  const reader = createItemReader();
  const stored = await read(reader);
  const pins = stored.map(({ id, revision }): [string, number] => [id, revision]);
  const pinned = await db.transaction((tx) => reader.readPinned(tx, site.id, pins));
  const text = (items: readonly ItemInput[]) => items.map(({ updated_at: _, ...item }) => JSON.stringify(item)).sort();
  expect(text(pinned)).toEqual(text(stored));
});
