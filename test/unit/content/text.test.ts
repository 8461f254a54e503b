import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { htmlToText } from '../../../services/features/content/text.ts';
import { sized } from '../../harness/long-form.ts';

test.each([
  ['<p>Hello <b>big</b> world</p>', 'Hello big world'],
  ['<p>one</p><p>two</p>', 'one two'],
  ['a<br>b', 'a b'],
  ['<b>un</b>broken', 'unbroken'],
  ['<p>Fish &amp; chips &lt;3&nbsp;&copy;</p>', 'Fish & chips <3 ©'],
  ['  \n<ul>\n <li>a</li>\n <li>b</li>\n</ul>\n', 'a b'],
  ['<table><tr><td>a</td><td>b</td></tr></table>', 'a b'],
  ['<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢kan'],
  ['a<script>b</script>c<style>d</style>', 'ac'],
  ['a<!-- b -->c', 'ac'],
  ['', ''],
  ['<img src="x" alt="y">', ''],
])('%s reads as %j', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});

test('a long text is cut between words', () => {
  expect(htmlToText('<p>alpha beta</p><p>gamma delta</p>', 12)).toBe('alpha beta');
  expect(htmlToText('<p>alpha beta</p>', 10)).toBe('alpha beta');
});

test('a single long word is cut, but no character in two', () => {
  expect(htmlToText('x'.repeat(50), 10)).toBe('x'.repeat(10));
  expect(htmlToText('😀'.repeat(50), 5)).toBe('😀😀');
});

test('any text gives trimmed text within the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 50 }), (html, maxChars) => {
      const text = htmlToText(html, maxChars);
      expect(text.length).toBeLessThanOrEqual(maxChars);
      expect(text.trim()).toBe(text);
    }),
    { numRuns: sized(500, 5000) },
  );
});

test.each(['<p>', '<', '&', '</', '<!--', ' ', 'a '])('a long text of nothing but %j ends', (piece) => {
  const html = piece.repeat(sized(500_000, 4_000_000) / piece.length);
  expect(htmlToText(html, 300).length).toBeLessThanOrEqual(300);
  expect(htmlToText(html).length).toBeLessThanOrEqual(html.length);
});
