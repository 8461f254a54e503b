import { expect, test } from '@jest/globals';
import { templateScripts } from '../../../services/build/csp.ts';
import { rewriteCss } from '../../../services/build/css.ts';
import { mapRootRelativeLinks } from '../../../services/build/links.ts';
import { findQuotes } from '../../../services/features/fact-check/text/quotations.ts';
import { sized } from '../../harness/long-form.ts';

// Found by `npm run fuzz`. Each of these texts once took quadratic time: minutes to hours.
const length = sized(250_000, 2_000_000);
const long = (piece: string) => piece.repeat(length / piece.length);
const keep = (css: string) => rewriteCss(css, 'style.css', () => 'x');

test.each(['url(', '/*', 'url("', '@import ', "url('", 'url(a ', 'url( '])(
  'a style sheet of nothing but %j costs its length',
  (piece) => {
    expect(keep(long(piece)).length).toBeGreaterThan(0);
    expect(keep(`url(${' '.repeat(length)}`)).toHaveLength(length + 4);
  },
);

test.each(['<a', '<!--', '<script', '<script>', '<a "', "<a ='", '<p title="', '<', '= ', '<title>'])(
  'a page of nothing but %j costs its length',
  (piece) => {
    const page = `${long(piece)}<a href="/x">`;
    expect(mapRootRelativeLinks(page, () => '/x')).toHaveLength(page.length);
    expect(templateScripts(page).inline).toEqual([]);
    expect(mapRootRelativeLinks(`=${' '.repeat(length)}`, () => '')).toHaveLength(length + 1);
  },
);

test.each(['»', '“', '"', '‘x '])('a text of nothing but %j costs its length', (piece) => {
  expect(findQuotes(long(piece)).every(({ start, end }) => start < end)).toBe(true);
});
