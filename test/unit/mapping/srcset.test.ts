import { expect, test } from '@jest/globals';
import { parseSrcset } from '../../../services/features/mapping/images/srcset.ts';

const urls = (text: string) => parseSrcset(text).map(({ url }) => url);

test('the largest width or density comes first', () => {
  expect(urls('a.png 480w, b.png 1600w, c.png 800w')).toEqual(['b.png', 'c.png', 'a.png']);
  expect(urls('a.png, b.png 2x, c.png 1.5x')).toEqual(['b.png', 'c.png', 'a.png']);
});

test('commas inside a URL belong to it, commas at its end separate', () => {
  expect(urls('https://x.test/w_1,h_2/a.png 1x, https://x.test/b.png 2x')).toEqual([
    'https://x.test/b.png',
    'https://x.test/w_1,h_2/a.png',
  ]);
  expect(urls('a.png, b.png').sort()).toEqual(['a.png', 'b.png']);
});

test('nothing comes of nothing, and of separators alone', () => {
  expect(urls('')).toEqual([]);
  expect(urls(' , , ')).toEqual([]);
});

test('a descriptor that cannot be read counts as the smallest', () => {
  expect(urls('a.png huge, b.png 10w')).toEqual(['b.png', 'a.png']);
});

test('a long hostile text is read in one pass', () => {
  expect(urls(`${'a'.repeat(200_000)} ${' '.repeat(200_000)}`)).toHaveLength(1);
  expect(urls(','.repeat(400_000))).toHaveLength(0);
});
