import { describe, expect, test } from '@jest/globals';
import { sanitizeBody } from '../../../services/features/content/sanitize/index.ts';
import { limits, voidTags } from '../../../services/features/content/sanitize/rules.ts';

const id = '3f2504e0-4f89-11d3-9a0c-0305e82c3301';
const quote = (value: string) => value.replaceAll('<', '&lt;');

/** Returns the remaining value of an attribute, null if it was removed, and the codes of the warnings. */
function filter(tag: string, name: string, value: string): { value: string | null; codes: string[] } {
  const end = voidTags.includes(tag) ? '' : `</${tag}>`;
  const { html, warnings } = sanitizeBody(`<${tag} ${name}="${quote(value)}">${end}`);
  const left = new RegExp(` ${name}="([^"]*)"`).exec(html)?.[1] ?? null;
  return { value: left, codes: warnings.map(({ code }) => code) };
}
const kept = (value: string) => ({ value, codes: [] });
const cut = (value: string) => ({ value, codes: ['url_removed'] });
const gone = { value: null, codes: ['url_removed'] };

describe('a srcset keeps its good candidates, written the one way:', () => {
  test.each([
    ['/a.png', '/a.png'],
    ['/a.png, /b.png 2x', '/a.png, /b.png 2x'],
    ['/a.png 1x,/b.png 2x', '/a.png 1x, /b.png 2x'],
    ['/a.png,/b.png 2x', '/a.png,/b.png 2x'],
    ['/a.png,, /b.png', '/a.png, /b.png'],
    ['/a.png 1x,,  ,/b.png', '/a.png 1x, /b.png'],
    ['/a.png 1x,', '/a.png 1x'],
    [' ,/a.png , ', '/a.png'],
    ['  /a.png  1.50x , /b.png   100w  ', '/a.png 1.5x, /b.png 100w'],
    ['/a.png 100.125x, /b.png 999999w', '/a.png 100.125x, /b.png 999999w'],
    [`media:${id} 800w`, `media:${id} 800w`],
  ])('%j is %j', (value, expected) => {
    expect(filter('img', 'srcset', value)).toEqual(kept(expected));
  });
});

describe('a srcset loses a candidate', () => {
  test.each([
    '0x',
    '0.0x',
    '1000x',
    '1.2345x',
    '1234567w',
    '0100w',
    '0w',
    '100w 2x',
    '100w!',
    '!100w',
    '2x!',
    '!2x',
    'h',
    '-1x',
  ])('with the descriptor %s', (descriptor) => {
    expect(filter('img', 'srcset', `/a.png ${descriptor}, /b.png 1x`)).toEqual(cut('/b.png 1x'));
  });

  test.each(['javascript:x', 'data:image/png,x', 'media:1', 'mailto:a@b'])('with the address %s', (address) => {
    expect(filter('img', 'srcset', `/a.png, ${address} 2x`)).toEqual(cut('/a.png'));
  });

  test('and goes itself when none is left', () => {
    for (const value of ['javascript:x 1x', '/a.png 0x', ',', '']) expect(filter('img', 'srcset', value)).toEqual(gone);
  });
});

test.each([
  ['a', 'href'],
  ['img', 'srcset'],
])('the longest address that <%s %s> may have', (tag, name) => {
  const longest = `/${'x'.repeat(limits.maxUrlLength - 1)}`;
  expect(filter(tag, name, longest)).toEqual(kept(longest));
  expect(filter(tag, name, `${longest}x`)).toEqual(gone);
});

describe('an address', () => {
  test.each(['/x', '#x', '', '?a:b', 'a/b:c', '\\a:b', '//h/x', 'HTTP://h', 'mailto:a@b', 'tel:1', '/a b', 'a  b'])(
    '%j stays',
    (url) => {
      expect(filter('a', 'href', url)).toEqual(kept(url));
    },
  );

  test('loses the white space around it', () => {
    expect(filter('a', 'href', ' \n\t /x \r\n ')).toEqual(kept('/x'));
  });

  test.each([
    ...['javascript:x', 'java\tscript:x', '\tjavascript:x', 'JAVASCRIPT:x', ' javascript:x', 'ftp://h', 'x:', ':x'],
    ...['/a\tb', '/a\nb', '/a\rb', '/a<!--b', `media:${id}`],
  ])('%j goes', (url) => {
    expect(filter('a', 'href', url)).toEqual(gone);
  });

  test.each([
    ['img', 'src', `media:${id}`, true],
    ['img', 'src', `media:${id}x`, false],
    ['img', 'src', `media:x${id}`, false],
    ['img', 'src', 'media:', false],
    ['img', 'src', 'mailto:x', false],
    ['q', 'cite', 'https://h', true],
    ['a', 'href', 'http://h', true],
    ['a', 'href', 'tel:1', true],
    ['audio', 'src', `media:${id}`, true],
    ['video', 'src', `media:${id}`, true],
    ['source', 'src', `media:${id}`, true],
    ['track', 'src', `media:${id}`, true],
    ['track', 'src', 'tel:1', false],
    ['q', 'cite', 'mailto:x', false],
    ['video', 'poster', `media:${id}`, true],
    ['video', 'poster', 'tel:1', false],
  ])('<%s %s="%s">: %p', (tag, name, url, stays) => {
    expect(filter(tag, name, url)).toEqual(stays ? kept(url) : gone);
  });
});

test('a warning says what was removed of which attribute, and why', () => {
  const message = (html: string) => sanitizeBody(html).warnings[0]?.message;
  expect(message('<img alt="" srcset="/a.png, x:y 2x">')).toBe(
    'Removed a candidate from srcset of <img>: it is not an allowed image (line 1, column 13).',
  );
  expect(message('<img alt="" srcset="x:y">')).toBe(
    'Removed the srcset of <img>: it has no allowed image (line 1, column 13).',
  );
  expect(message('<img alt="" src="x:y">')).toBe(
    'Removed the src of <img>: the URL scheme is not allowed (line 1, column 13).',
  );
});
