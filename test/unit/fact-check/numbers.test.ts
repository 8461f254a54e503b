import { describe, expect, test } from '@jest/globals';
import { sameFigure } from '../../../services/features/fact-check/text/numbers.ts';
import { readStatements } from './harness.ts';

function readOne(text: string, locale?: string) {
  const numbers = readStatements(text, locale).flatMap((statement) => statement.numbers);
  expect(numbers.length).toBe(1);
  return numbers[0]!;
}

describe('a figure is read whatever its format', () => {
  const cases: [string, string, number, string][] = [
    ['en', 'about 1,200 people', 1200, ''],
    ['en', '1200 people came', 1200, ''],
    ['en', '1 200 people', 1200, ''],
    ['en', '1\u202f200 people', 1200, ''],
    ['en', "1'200 people", 1200, ''],
    ['en', '1.2 thousand people', 1200, ''],
    ['en', '1.2k people', 1200, ''],
    ['en', '1,234,567 people', 1_234_567, ''],
    ['en', '1,234.56 people', 1234.56, ''],
    ['en', '3.5 million people', 3_500_000, ''],
    ['en', 'two million people', 2_000_000, ''],
    ['en', 'twenty-five people', 25, ''],
    ['en', '−5 people', -5, ''],
    ['en', 'two hundred people', 200, ''],
    ['en', 'it is 42% of it', 42, 'percent'],
    ['en', 'it is 42 per cent of it', 42, 'percent'],
    ['en', 'it is 4.5 percentage points', 4.5, 'points'],
    ['en', 'it cost $5m', 5_000_000, 'USD'],
    ['en', 'it cost US$ 1.5 billion', 1_500_000_000, 'USD'],
    ['en', 'it cost 20 euros', 20, 'EUR'],
    ['en', 'it cost EUR 20', 20, 'EUR'],
    ['en', 'it is 5 km long', 5000, 'm'],
    ['en', 'it is 5,000 metres long', 5000, 'm'],
    ['en', 'it took 2 weeks', 14, 'day'],
    ['de', '1.200 Menschen', 1200, ''],
    ['de', '1.234.567,5 Menschen', 1_234_567.5, ''],
    ['de', '3,5 Millionen Menschen', 3_500_000, ''],
    ['de', '3,5 Prozent davon', 3.5, 'percent'],
    ['de', '4 Mrd. Euro', 4_000_000_000, 'EUR'],
    ['fr', '1 200 personnes', 1200, ''],
    ['fr', '12 % du total', 12, 'percent'],
    ['es', '1.200 personas', 1200, ''],
  ];
  test.each(cases)('%s: %s', (locale, text, value, unit) => {
    const figure = readOne(text, locale);
    expect(figure.values[0]).toBeCloseTo(value, 6);
    expect(figure.unit).toBe(unit);
  });
});

test.each([
  'COVID-19 and A4 paper',
  'version 1.2.3',
  'at 10:30',
  'see https://x.test/12/34',
  'it is number4',
  'on 12/24',
  'a hundred and five people',
  'two hundred and five people',
  'one thousand two hundred people',
])('%s states no figure', (text) => {
  expect(readStatements(text).flatMap((statement) => statement.numbers)).toEqual([]);
});

describe('two figures are the same', () => {
  test.each([
    ['1,200 people', '1200 people'],
    ['1,200 people', '1.200 Menschen'],
    ['1.2 million people', '1,204,331 people'],
    ['1,204,331 people', '1.2 million people'],
    ['about 1,000 people', '1,020 people'],
    ['5 km', '5,000 metres'],
    ['twelve bridges', '12 bridges'],
  ])('%s and %s', (left, right) => {
    expect(sameFigure(readOne(left), readOne(right))).toBe(true);
  });

  test.each([
    ['1,200 people', '1.2 people'],
    ['1,200 people', '1,201 people'],
    ['1.2 million people', '1.3 million people'],
    ['1,000 people', '1,020 people'],
    ['42 people', '42% there'],
    ['20 euros', '$20 more'],
    ['5 km', '5 metres'],
  ])('but not %s and %s', (left, right) => {
    expect(sameFigure(readOne(left), readOne(right))).toBe(false);
  });
});
