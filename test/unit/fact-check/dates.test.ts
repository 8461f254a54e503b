import { describe, expect, test } from '@jest/globals';
import { readStatements } from './harness.ts';

function readDates(text: string, locale?: string) {
  return readStatements(text, locale).flatMap((statement) =>
    statement.dates.map(({ year, month, day, weekday }) => [year, month, day, weekday]),
  );
}

describe('dates are read in the language of the text', () => {
  const cases: [string, string, (number | null)[]][] = [
    ['en', 'on 5 January 2026', [2026, 1, 5, null]],
    ['en', 'on January 5, 2026', [2026, 1, 5, null]],
    ['en', 'on Jan. 5th, 2026', [2026, 1, 5, null]],
    ['en', 'on Monday, 5 January 2026', [2026, 1, 5, 1]],
    ['en', 'on Monday, January 5, 2026', [2026, 1, 5, 1]],
    ['en', 'on Monday the 5th of January 2026', [2026, 1, 5, 1]],
    ['en', 'on 2026-01-05', [2026, 1, 5, null]],
    ['en', 'in January 2026', [2026, 1, null, null]],
    ['en', 'in 2026', [2026, null, null, null]],
    ['en', 'founded 1990', [1990, null, null, null]],
    ['en', 'in 1990 people came', [1990, null, null, null]],
    ['de', 'am Montag, den 5. Januar 2026', [2026, 1, 5, 1]],
    ['de', 'am Montag, dem 5. Januar 2026', [2026, 1, 5, 1]],
    ['de', 'im März 2026', [2026, 3, null, null]],
    ['fr', 'le lundi 5 janvier 2026', [2026, 1, 5, 1]],
    ['es', 'el lunes, 5 de enero de 2026', [2026, 1, 5, 1]],
    ['sv', 'den 5 januari 2026', [2026, 1, 5, null]],
    ['pl', 'dnia 5 stycznia 2026', [2026, 1, 5, null]],
    // found, so that it can be reported as impossible
    ['en', 'on 31 February 2026', [2026, 2, 31, null]],
  ];
  test.each(cases)('%s: %s', (locale, text, date) => {
    expect(readDates(text, locale)).toEqual([date]);
  });

  test('a span has two', () => {
    expect(readDates('from 1990 to 2000 (1985–1989)').map(([year]) => year)).toEqual([1990, 2000, 1985, 1989]);
  });

  test.each([
    'has 1990 inhabitants',
    'cost $1990',
    '1,990 of them',
    'part no 19905',
    'A1990',
    'They march now, today at 10',
  ])('%s has none', (text) => {
    expect(readDates(text)).toEqual([]);
  });
});
