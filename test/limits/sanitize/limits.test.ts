import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { limits } from '../../../services/features/content/sanitize/rules.ts';
import { jsonMaxBytes } from '../../../services/gateway/stages/read-bytes.ts';
import { sized } from '../../harness/long-form.ts';

const size = sized(128, 1024) * 1024;
const pieces = sized(50_000, 400_000);
const fill = (piece: string) => piece.repeat(Math.floor(size / piece.length));

/** Each takes quadratic time or memory in a sanitizer that backtracks; the test runner's own timeout is the bound. */
const bombs: [name: string, html: string][] = [
  ['open elements far beyond the limit', '<div>'.repeat(pieces / 4)],
  ['open elements', fill('<div>')],
  ['open formatting', fill('<b id=x>')],
  ['open and close', '<b>'.repeat(pieces) + '</b>'.repeat(pieces)],
  ['open paragraphs', fill('<p>')],
  ['open links', fill('<a>')],
  ['open tables', fill('<table><td>')],
  ['open items', fill('<li>')],
  ['open terms', fill('<dd>')],
  ['end tags', fill('</p>')],
  ['end tags of others', `${'<div>'.repeat(90)}${fill('</span>')}`],
  ['open comments', fill('<!--')],
  ['comment ends', `<!--${fill('--!')}`],
  ['open declarations', fill('<!')],
  ['open svg', fill('<svg>')],
  ['svg and math in turns', fill('<svg><math>')],
  ['open templates', fill('<template>')],
  ['every swallowing element', fill('<svg><math><template><object><canvas><select><datalist>')],
  ['open scripts', fill('<script>')],
  ['script end halves', `<script>${fill('</scrip')}`],
  ['lower than', fill('<')],
  ['ampersands', fill('&')],
  ['references', fill('&#0;')],
  ['long entity names', fill('&CounterClockwiseContourIntegra')],
  ['NUL', fill('\0')],
  ['lone surrogates', fill('\ud800')],
  ['attributes', `<p ${fill('x ')}>`],
  ['attributes of different names', `<p ${Array.from({ length: pieces }, (_, index) => `b${index}`).join(' ')}>`],
  ['one long URL', `<a href="${fill('/')}">`],
  ['one long srcset', `<img srcset="${fill('a 1x,')}">`],
  ['one long class', `<p class="${fill('a ')}">x</p>`],
  ['one long rel', `<a rel="${fill('opener ')}">x</a>`],
  ['one long id', `<p id="${fill('a')}">x</p>`],
  ['open quotes', fill('<a title="')],
  ['tag names', fill('<x')],
  ['elements of different names', Array.from({ length: pieces }, (_, index) => `<x${index}>`).join('')],
];

describe('a long body of anything ends, clean', () => {
  test.each(bombs)('%s', (_, html) => {
    const result = sanitizeBody(html);
    expect(sanitizeBody(result.html)).toEqual({ html: result.html, warnings: [] });
    expect(result.warnings.length).toBeLessThanOrEqual(limits.maxWarnings + 1);
  });
});

// rule: error.5, threat.26
test('a body of the largest request ends, clean', () => {
  for (const piece of ['<div>', '<b id=x>y', '&'].slice(0, sized(1, 3))) {
    const { html } = sanitizeBody(piece.repeat(Math.floor(jsonMaxBytes / piece.length)));
    expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
  }
});

test('nesting stops at the limit, the text stays', () => {
  const { html, warnings } = sanitizeBody(`${'<div>'.repeat(1000)}deep`);
  expect(html).toBe(`${'<div>'.repeat(limits.maxDepth)}deep${'</div>'.repeat(limits.maxDepth)}`);
  expect(warnings.map((warning) => warning.code)).toContain('nesting_flattened');
});

test('nesting at the limit is left alone', () => {
  const html = `${'<div>'.repeat(limits.maxDepth)}x${'</div>'.repeat(limits.maxDepth)}`;
  expect(sanitizeBody(html)).toEqual({ html, warnings: [] });
});

test('what follows after nesting too deep is where it was', () => {
  const { html } = sanitizeBody(`<div>${'<b>'.repeat(500)}x${'</b>'.repeat(500)}</div><p>after</p>`);
  expect(html.endsWith('</div><p>after</p>')).toBe(true);
});

test('elements stop at the limit, the text stays', () => {
  const { html, warnings } = sanitizeBody('<b>x</b>'.repeat(limits.maxElements + 5));
  expect(html).toBe(`${'<b>x</b>'.repeat(limits.maxElements)}xxxxx`);
  expect(warnings.map((warning) => warning.code)).toEqual(['nesting_flattened']);
});
