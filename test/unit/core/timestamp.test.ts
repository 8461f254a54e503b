import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from '../../../services/core/timestamp.ts';

test.each([
  '2026-01-31T23:59:59Z',
  '2024-02-29T00:00:00Z',
  '2000-02-29T12:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('%s is accepted and printed as it was', (text) => {
  expect(formatTimestamp(parseTimestamp(text) as Date)).toBe(text);
});

// rule: content.9
test.each([
  ...['2026-01-31T10:00:00+02:00', '2026-01-31T10:00:00+00:00', '2026-01-31T10:00:00-00:00', '2026-01-31T10:00:00'],
  ...['2026-01-31T10:00:00z', '2026-01-31t10:00:00Z', '2026-01-31 10:00:00Z', '2026-01-31T10:00:00.000Z', '2026-01-31'],
  ...['2026-01-31T10:00Z', '2026-1-31T10:00:00Z', '20260131T100000Z', '2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z'],
  ...['1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-10T00:00:00Z'],
  ...['2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31T23:60:00Z'],
  ...[
    '2016-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '-001-01-01T00:00:00Z',
  ],
  ...[
    ' 2026-01-31T10:00:00Z',
    '2026-01-31T10:00:00Z\n',
    '2026-01-31T10:00:00Z ',
    '２０２６-01-31T10:00:00Z',
    '',
    'now',
    '1769853600',
  ],
])('%j is refused', (text) => {
  expect(parseTimestamp(text)).toBeNull();
});

test('every second of the accepted years survives printing and reading', () => {
  const date = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (value) => {
      const text = formatTimestamp(value);
      expect(text).toBe(`${value.toISOString().slice(0, 19)}Z`);
      expect(parseTimestamp(text)?.getTime()).toBe(Math.floor(value.getTime() / 1000) * 1000);
    }),
  );
});
