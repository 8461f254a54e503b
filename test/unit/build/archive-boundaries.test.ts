import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planArchive, postsPerPage } from '../../../services/build/archive.ts';

/** Returns the contents of each numbered page, as positions counted from the oldest item. */
function contents(total: number, perPage: number): Map<number, [number, number]> {
  return new Map(planArchive(total, perPage).map(({ number, start, end }) => [number, [total - end, total - start]]));
}

const sizes = { total: fc.integer({ min: 0, max: 500 }), perPage: fc.integer({ min: 1, max: 30 }) };

describe('archive pages', () => {
  test('show every item exactly once, newest first', () => {
    fc.assert(
      fc.property(sizes.total, sizes.perPage, (total, perPage) => {
        const shown = planArchive(total, perPage).flatMap(({ start, end }) =>
          Array.from({ length: end - start }, (_, n) => start + n),
        );
        expect(shown).toEqual(Array.from({ length: total }, (_, n) => n));
      }),
    );
  });

  test('keep what they hold when a new item comes, but for the first page', () => {
    fc.assert(
      fc.property(sizes.total, sizes.perPage, (total, perPage) => {
        const after = contents(total + 1, perPage);
        for (const [number, range] of contents(total, perPage))
          if (number !== 1) expect(after.get(number)).toEqual(range);
      }),
    );
  });

  test('have contiguous numbers, and page 2 as soon as there are more items than fit one page', () => {
    fc.assert(
      fc.property(sizes.total, sizes.perPage, (total, perPage) => {
        const numbers = planArchive(total, perPage)
          .map(({ number }) => number)
          .sort((a, b) => a - b);
        expect(numbers).toEqual(numbers.map((_, n) => n + 1));
        expect(numbers.length > 1).toBe(total > perPage);
      }),
    );
  });

  test('hold no more than twice the page size less one', () => {
    fc.assert(
      fc.property(sizes.total, sizes.perPage, (total, perPage) => {
        for (const { start, end } of planArchive(total, perPage)) expect(end - start).toBeLessThan(2 * perPage);
      }),
    );
  });
});

test.each([
  [{}, 10],
  [{ posts_per_page: 5 }, 5],
  [{ posts_per_page: 0 }, 10],
  [{ posts_per_page: 101 }, 10],
  [{ posts_per_page: '7' }, 10],
])('the page size of %j is %i', (settings, expected) => {
  expect(postsPerPage(settings)).toBe(expected);
});
