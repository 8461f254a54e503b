import { expect, test } from '@jest/globals';
import { templateScripts } from '../../../services/build/csp.ts';
import { rewriteCss } from '../../../services/build/css.ts';
import { mapRootRelativeLinks } from '../../../services/build/links.ts';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { findQuotes } from '../../../services/features/fact-check/text/quotations.ts';
import { findImages } from '../../../services/features/mapping/images/find-images.ts';
import { sized } from '../../harness/long-form.ts';

// Found by `npm run fuzz` or by reading the code. Each of these texts once took quadratic time.
const length = sized(250_000, 2_000_000);
const long = (piece: string) => piece.repeat(length / piece.length);
const keep = (css: string) => rewriteCss(css, 'style.css', () => 'x');

// rule: threat.26
test.each(['url(', '/*', 'url("', '@import ', "url('", 'url(a ', 'url( '])(
  'a style sheet of nothing but %j costs its length',
  (piece) => {
    expect(keep(long(piece)).length).toBeGreaterThan(0);
    expect(keep(`url(${' '.repeat(length)}`)).toHaveLength(length + 4);
  },
);

// rule: threat.26
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

// rule: threat.26
test.each([',', ' ,', ',a', ' ', '/'])('a list of image candidates of nothing but %j costs its length', (piece) => {
  expect(findImages(`<img src="//a.test/b" srcset="a${long(piece)}b">`).slots).toHaveLength(1);
});

/** Attributes of a body are limited to 8,192 characters, a body is not limited to one of them. */
const pieceOfAttribute = (piece: string) => piece.repeat(8_000 / piece.length);

// rule: threat.26
test.each([' ', ',', '\t ', '/', '.'])('addresses of a body of nothing but %j cost their length', (piece) => {
  const run = `x${pieceOfAttribute(piece)}y`;
  const body = `<a href="${run}">z</a><img alt="" src="/a.png" srcset="${run}">`.repeat(sized(100, 250));
  expect(sanitizeBody(body).html.length).toBeGreaterThan(0);
});
