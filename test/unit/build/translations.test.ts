import { expect, test } from '@jest/globals';
import type { ItemInput } from '../../../services/build/model.ts';
import { createVersionFinder } from '../../../services/build/translations.ts';
import { makeItem } from './snapshot.ts';

const locales = ['de', 'en', 'fr'];
const inLocale = (locale: string, original: ItemInput | null = null) =>
  makeItem({ locale, translation_of: original?.id ?? null });
const titles = (items: readonly ItemInput[]) => items.map(({ title }) => title);

test('every version lists all of them, itself included, in the order of the locales', () => {
  const en = inLocale('en');
  const [fr, de] = [inLocale('fr', en), inLocale('de', en)];
  const versionsOf = createVersionFinder([inLocale('en'), fr, de, en], locales);
  for (const item of [en, fr, de]) expect(titles(versionsOf(item))).toEqual(titles([de, en, fr]));
  const alone = inLocale('fr');
  expect(createVersionFinder([alone], locales)(alone)).toEqual([alone]);
});

test('in its own locale an item names itself, whatever else is a translation of the same', () => {
  const en = inLocale('en');
  const [first, second, other] = [inLocale('de', en), inLocale('de', en), inLocale('en', en)];
  const versionsOf = createVersionFinder([other, second, first, en], locales);
  expect(titles(versionsOf(en))).toEqual(titles([second, en]));
  expect(titles(versionsOf(first))).toEqual(titles([first, en]));
  expect(titles(versionsOf(second))).toEqual(titles([second, en]));
  expect(titles(versionsOf(other))).toEqual(titles([second, other]));
});

test('those belong together that name each other over several steps, as after a change of the default locale', () => {
  const en = inLocale('en');
  const de = inLocale('de', en);
  const fr = inLocale('fr', de);
  for (const order of [
    [fr, de, en],
    [en, de, fr],
    [de, fr, en],
  ])
    for (const item of order) expect(titles(createVersionFinder(order, locales)(item))).toEqual(titles([de, en, fr]));
});

test('two that name each other, and one that names itself, are no endless search', () => {
  const en = inLocale('en');
  const de = inLocale('de', en);
  const back = { ...en, translation_of: de.id };
  const fr = inLocale('fr', de);
  expect(titles(createVersionFinder([back, de, fr], locales)(fr))).toEqual(titles([de, back, fr]));
  const own = { ...en, translation_of: en.id };
  expect(titles(createVersionFinder([own], locales)(own))).toEqual([own.title]);
});

test('translations of an item that is not published stay versions of each other', () => {
  const draft = inLocale('en');
  const [fr, de] = [inLocale('fr', draft), inLocale('de', draft)];
  expect(titles(createVersionFinder([fr, de], locales)(fr))).toEqual(titles([de, fr]));
});
