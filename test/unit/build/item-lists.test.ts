import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareItems, type ItemLists, listItems } from '../../../services/build/item-lists.ts';
import { makeSitemap, type Sitemap, withoutBytes } from '../../../services/build/map-files.ts';
import type { ItemInput } from '../../../services/build/model.ts';
import { PatchedMap } from '../../../services/build/patched-map.ts';
import { createListKeeper } from '../../../services/build/render/kept-lists.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { makeInputs, makeItem } from './snapshot.ts';

const { site } = makeInputs();
site.locales = [{ locale: 'en' }, { locale: 'fr' }];

/** The lists as plain data; of the maps, the entries of these items. */
function describeLists({ items, byId, posts, pages, versions }: ItemLists, known: readonly ItemInput[]) {
  const filled = (lists: ReadonlyMap<string, ItemInput[]>) =>
    [...lists].filter(([, { length }]) => length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    items,
    byId: [byId.size, known.map(({ id }) => byId.get(id))],
    posts: filled(posts),
    pages: filled(pages),
    versions: items.map((item) => versions(item)),
    named: known.map(({ id }) => versions.isNamed(id)),
  };
}

test('lists that were copied with what changed are those of all items', () => {
  const change = fc.record({
    kind: fc.constantFrom('add', 'change', 'remove', 'move'),
    at: fc.nat(30),
    type: fc.constantFrom('post', 'page', 'recipe'),
    locale: fc.constantFrom('en', 'fr', 'de'), // the site does not have the last
    published: fc.nat(5),
    translates: fc.boolean(),
  });
  type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;
  const apply = (items: ItemInput[], { kind, at, type, locale, published, translates }: Change) => {
    const number = at % Math.max(1, items.length);
    const known = items[number];
    const original = translates ? (items[0]?.id ?? null) : null;
    const members = { type, locale, order: [published, at] as [number, number], translation_of: original };
    if (kind === 'add' || !known) items.push(makeItem(members));
    else if (kind === 'change') items[number] = { ...known, ...members, revision: known.revision + 1 };
    else items.splice(number, 1);
    if (kind === 'move' && known) items.push(known);
  };
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), (steps) => {
      const keepLists = createListKeeper();
      const items = Array.from({ length: 5 }, () => makeItem());
      const seen = new Set(items);
      keepLists([...items], site, false);
      for (const changes of steps) {
        for (const one of changes) apply(items, one);
        for (const item of items) seen.add(item);
        const lists = keepLists([...items], site, true);
        const known = [...seen];
        expect(describeLists(lists, known)).toEqual(describeLists(listItems(items, site), known));
      }
    }),
    { numRuns: 100 },
  );
});

test('items that differ are found in lists of any order', () => {
  const all = Array.from({ length: 8 }, () => makeItem());
  const list = fc.shuffledSubarray(all);
  fc.assert(
    fc.property(list, list, (before, now) => {
      const { gone, fresh } = compareItems(before, now);
      expect(new Set(gone)).toEqual(new Set(before.filter((item) => !now.includes(item))));
      expect(new Set(fresh)).toEqual(new Set(now.filter((item) => !before.includes(item))));
      expect(gone.length + fresh.length).toBe(new Set([...gone, ...fresh]).size);
    }),
  );
});

test('a map that was changed by copying has the entries of one that was changed in place, and the earlier map its own', () => {
  const key = fc.nat(3_000).map(String);
  const step = fc.tuple(fc.array(key, { maxLength: 50 }), fc.array(key, { maxLength: 400 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      let map = new PatchedMap<{ n: number }>(new Map());
      const plain = new Map<string, { n: number }>();
      for (const [n, [removed, added]] of steps.entries()) {
        const before = map;
        const known = [...plain];
        map = map.patch(
          removed,
          added.map((one) => [one, { n }]),
        );
        for (const one of removed) plain.delete(one);
        for (const one of added) plain.set(one, { n });
        expect(map.size).toBe(plain.size);
        for (const one of [...plain.keys(), ...removed]) expect(map.get(one)).toEqual(plain.get(one));
        expect(before.size).toBe(known.length);
        for (const [one, value] of known) expect(before.get(one)).toEqual(value);
      }
    }),
    { numRuns: 50 },
  );
});

test('of a sitemap in parts, a changed or added item changes one part', () => {
  const inputs = makeInputs({ items: Array.from({ length: 50_005 }, () => makeItem()) });
  const hashesOf = ({ parts }: Sitemap) => parts.map(({ value }) => [value.path, value.hash]);
  const before = { index: createSiteIndex(inputs), items: inputs.items };
  const first = makeSitemap(before.index, 'https://demo.test');
  expect(first.parts).toHaveLength(6);
  const [oldest] = inputs.items;
  const edits: ItemInput[][] = [
    inputs.items.with(0, { ...oldest!, revision: 2, updated_at: '2026-02-02T00:00:00Z' }),
    [...inputs.items, makeItem()],
  ];
  for (const items of edits) {
    const index = createSiteIndex({ ...inputs, items });
    const differences = { ...compareItems(inputs.items, items), listsDiffer: true, versionsDiffer: false };
    const earlier = { sitemap: withoutBytes(first), lists: before.index.lists, differences };
    const second = makeSitemap(index, 'https://demo.test', earlier);
    expect(hashesOf(second)).toEqual(hashesOf(makeSitemap(index, 'https://demo.test')));
    expect(second.parts.filter(({ value }) => value.data !== null)).toHaveLength(1);
  }
});
