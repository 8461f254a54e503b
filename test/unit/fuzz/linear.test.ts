import { expect, test } from '@jest/globals';
import { templateScripts } from '../../../services/build/csp.ts';
import { rewriteCss } from '../../../services/build/css.ts';
import { mapRootedLinks } from '../../../services/build/links.ts';
import { findQuotes } from '../../../services/features/fact-check/text/quotations.ts';

// Found by `npm run fuzz`. Each of these texts once cost the square of its length: minutes to hours.
const long = (piece: string) => piece.repeat(2_000_000 / piece.length);
const keep = (css: string) => rewriteCss(css, 'style.css', () => 'x');

test.each(['url(', '/*', 'url("', '@import ', "url('", 'url(a ', 'url( '])(
  'a style sheet of nothing but %j costs its length',
  (piece) => {
    expect(keep(long(piece)).length).toBeGreaterThan(0);
    expect(keep(`url(${' '.repeat(2_000_000)}`)).toHaveLength(2_000_004);
  },
);

test.each(['<a', '<!--', '<script', '<script>', '<a "', "<a ='", '<p title="', '<', '= ', '<title>'])(
  'a page of nothing but %j costs its length',
  (piece) => {
    const page = `${long(piece)}<a href="/x">`;
    expect(mapRootedLinks(page, () => '/x')).toHaveLength(page.length);
    expect(templateScripts(page).inline).toEqual([]);
    expect(mapRootedLinks(`=${' '.repeat(2_000_000)}`, () => '')).toHaveLength(2_000_001);
  },
);

test.each(['»', '“', '"', '‘x '])('a text of nothing but %j costs its length', (piece) => {
  expect(findQuotes(long(piece)).every(({ start, end }) => start < end)).toBe(true);
});
