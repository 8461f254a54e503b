import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  deriveSlug,
  fallbackSlug,
  findFreeSlug,
  maxSlugLength,
  normaliseSlug,
  withCounter,
} from '../../../services/core/slug.ts';
import { sized } from '../../harness/long-form.ts';

const valid = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '-', ' ', '😀', 'é') }),
);

test.each([
  ['Hello World', 'hello-world'],
  ['  Crème Brûlée & Straße!  ', 'creme-brulee-strasse'],
  ["It's 100% -- fine__really", 'its-100-fine-really'],
  ['don’t', 'dont'],
  ['Привет мир', 'privet-mir'],
  ['Ελλάδα', 'ellada'],
  ['שלום', 'slvm'],
  ['already-a-slug', 'already-a-slug'],
  ['a\0b\u202ec', 'a-bc'],
  ['', fallbackSlug],
  ['---', fallbackSlug],
  ['\ud800', fallbackSlug],
])('%j becomes %s', (text, slug) => {
  expect(deriveSlug(text)).toBe(slug);
});

test('Chinese, Japanese, Korean and emoji titles give readable slugs', () => {
  for (const text of ['你好世界', 'こんにちは', '안녕하세요', '🚀 launch']) {
    expect(deriveSlug(text)).toMatch(valid);
    expect(deriveSlug(text)).not.toBe(fallbackSlug);
  }
});

test('any text gives a valid slug of at most 120 characters, and a slug stays as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const slug = deriveSlug(text);
      expect(slug).toMatch(valid);
      expect(slug.length).toBeLessThanOrEqual(maxSlugLength);
      expect(normaliseSlug(slug)).toBe(slug);
    }),
    { numRuns: sized(300, 2000) },
  );
});

test('the counter fits into 120 characters', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 1_000_000 }), (text, n) => {
      const slug = withCounter(deriveSlug(text.repeat(200)), n);
      expect(slug).toMatch(valid);
      expect(slug.length).toBeLessThanOrEqual(maxSlugLength);
      expect(slug.endsWith(`-${n}`)).toBe(true);
    }),
  );
});

test('the counter is appended', () => {
  expect(withCounter('post', 2)).toBe('post-2');
  expect(withCounter('a'.repeat(120), 10)).toBe(`${'a'.repeat(117)}-10`);
  expect(withCounter(`${'a'.repeat(117)}-bc`, 2)).toBe(`${'a'.repeat(117)}-2`);
});

test('a long title is cut without a hyphen at the end', () => {
  expect(deriveSlug('word '.repeat(1000))).toMatch(valid);
  expect(deriveSlug(`${'a'.repeat(119)} b`)).toBe('a'.repeat(119));
});

test('what is cut off is cut off the words, not the dirt before them', () => {
  expect(deriveSlug(`${'!'.repeat(1000)}${'a'.repeat(119)}b`)).toBe(`${'a'.repeat(119)}b`);
  expect(deriveSlug(`${' '.repeat(5000)}late`)).toBe('late');
});

describe('a free slug', () => {
  const takenOf = (taken: readonly string[]) => {
    const asked: number[] = [];
    const select = async (candidates: readonly string[]) => {
      asked.push(candidates.length);
      return new Set(candidates.filter((slug) => taken.includes(slug)));
    };
    return { asked, select };
  };

  test('is the first that nobody has and that may be had', async () => {
    const { select, asked } = takenOf(['post', 'post-3']);
    expect(await findFreeSlug('other', select)).toBe('other');
    expect(await findFreeSlug('post', select)).toBe('post-2');
    expect(await findFreeSlug('post', select, (slug) => slug !== 'post-2')).toBe('post-4');
    expect(asked).toEqual([16, 16, 16]);
  });

  test('is found behind many, asked for in growing bundles', async () => {
    const { select, asked } = takenOf(['post', ...Array.from({ length: 99 }, (_, index) => `post-${index + 2}`)]);
    expect(await findFreeSlug('post', select)).toBe('post-101');
    expect(asked).toEqual([16, 64, 256]);
  });
});
