import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanFilename, filenameOfUrl } from '../../../services/features/media/filename.ts';

describe('cleanFilename', () => {
  test('always gives a short base name that can be shown and saved', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (given) => {
        const name = cleanFilename(given);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name.isWellFormed()).toBe(true);
        expect(name).not.toMatch(/[/\\\u0000-\u001f\u202a-\u202e\u2066-\u2069]/);
        expect(name).not.toMatch(/^\./);
      }),
    );
  });

  test('is stable: a clean name stays as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (given) => cleanFilename(cleanFilename(given)) === cleanFilename(given),
      ),
    );
  });

  test('keeps the extension of a long name', () => {
    expect(cleanFilename(`${'x'.repeat(5000)}.jpeg`)).toMatch(/^x+\.jpeg$/);
  });
});

test('a name cleaned is clean', () => {
  const long = '! '.repeat(200);
  expect(cleanFilename(cleanFilename(long))).toBe(cleanFilename(long));
});

describe('filenameOfUrl', () => {
  test.each([
    ['https://example.com/a/b%20c.jpg?x=1#y', 'b c.jpg'],
    ['https://example.com/', 'file'],
    ['https://example.com/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 'passwd'],
    ['https://example.com/%ff.png', '%ff.png'],
  ])('%s → %s', (url, name) => {
    expect(filenameOfUrl(url)).toBe(name);
  });
});
