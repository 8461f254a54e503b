import { describe, expect, test } from '@jest/globals';
import { findImages } from '../../../services/features/mapping/images/find-images.ts';
import { rewriteImages } from '../../../services/features/mapping/images/rewrite-images.ts';

/** URLs that contain `bad` cannot be fetched. */
function rewrite(html: string): string {
  const found = findImages(html);
  return rewriteImages(
    html,
    found,
    found.slots.map(({ urls, attributes }, index) =>
      urls.some((url) => !url.includes('bad')) ? { mediaId: `id${index}`, alt: attributes.alt || 'Title' } : null,
    ),
  );
}
const wanted = (html: string) => findImages(html).slots.map(({ urls }) => urls);

describe('what is an external image', () => {
  test.each([
    ['an http URL', '<img src="http://x.test/a.png">', [['http://x.test/a.png']]],
    ['upper case and single quotes', "<IMG SRC='HTTPS://X.test/a.png'>", [['https://x.test/a.png']]],
    ['entities in the URL', '<img src="https://x.test/a?b=1&amp;c=2">', [['https://x.test/a?b=1&c=2']]],
    ['a URL without a scheme', '<img src="//x.test/a.png">', [['https://x.test/a.png']]],
    ['white space around', '<img src=" https://x.test/a.png\n">', [['https://x.test/a.png']]],
    ['a fragment is no part of what is fetched', '<img src="https://x.test/a.png#x">', [['https://x.test/a.png']]],
    ['no quotes', '<img src=https://x.test/a.png>', [['https://x.test/a.png']]],
    ['a URL that cannot be one is left out', '<img src="http://">', [[]]],
    ['a path', '<img src="/a.png">', []],
    ['a media reference', '<img src="media:1" srcset="https://x.test/a.png 2x">', []],
    ['a data URL', '<img src="data:image/png;base64,AA==">', []],
    ['in a comment', '<!-- <img src="https://x.test/a.png"> -->', []],
    ['in a script', '<script>"<img src=https://x.test/a.png>"</script>', []],
    ['in what the sanitizer removes', '<noscript><img src="https://x.test/a.png"></noscript>', []],
    [
      'a placeholder with a srcset',
      '<img src="data:,x" srcset="https://x.test/s 1x, https://x.test/l 2x">',
      [['https://x.test/l', 'https://x.test/s']],
    ],
    [
      'src first, then the largest candidate',
      '<img src="https://x.test/a" srcset="https://x.test/s 10w, https://x.test/l 20w">',
      [['https://x.test/a', 'https://x.test/l', 'https://x.test/s']],
    ],
    [
      'sources of a picture',
      '<picture><source srcset="https://x.test/w.webp"><img src="https://x.test/a.png"></picture>',
      [['https://x.test/a.png', 'https://x.test/w.webp']],
    ],
  ])('%s', (_name, html, urls) => {
    expect(wanted(html)).toEqual(urls);
  });
});

describe('rewriting', () => {
  test.each([
    [
      'keeps everything else byte for byte',
      '<P class=x>a &amp b<br/><img src=https://x.test/a.png>tail</p >',
      '<P class=x>a &amp b<br/><img src="media:id0" alt="Title">tail</p >',
    ],
    [
      'keeps alt, size and class',
      '<img class="w" src="https://x.test/a" alt="A &quot;q&quot;" width="3">',
      '<img src="media:id0" alt="A &quot;q&quot;" class="w" width="3">',
    ],
    [
      'drops srcset and sizes',
      '<img src="https://x.test/a" srcset="https://x.test/b 2x" sizes="100vw">',
      '<img src="media:id0" alt="Title">',
    ],
    [
      'replaces a picture whole',
      'a<picture><source srcset="https://x.test/w"><img src="https://x.test/a"></picture>b',
      'a<img src="media:id0" alt="Title">b',
    ],
    [
      'a picture without an end loses its sources too',
      '<picture><source srcset="https://x.test/w"><img src="https://x.test/a">',
      '<img src="media:id0" alt="Title">',
    ],
  ])('%s', (_name, html, expected) => {
    expect(rewrite(html)).toBe(expected);
  });
});

describe('an image that cannot be fetched is left out with its empty wrapper', () => {
  test.each([
    ['alone', '<p>a</p><img src="http://bad/"><p>b</p>', '<p>a</p><p>b</p>'],
    ['a paragraph of its own', '<p>a</p><p> <img src="http://bad/"> </p><p>b</p>', '<p>a</p><p>b</p>'],
    ['a link', 'a<a href="/big"><img src="http://bad/"></a>b', 'ab'],
    ['a link with text keeps the text', '<a href="/big">see <img src="http://bad/"></a>', '<a href="/big">see </a>'],
    [
      'a figure with its caption',
      '<figure><a href="/x"><img src="http://bad/"></a><figcaption>The <b>hut</b></figcaption></figure>',
      '',
    ],
    [
      'a figure with another image stays',
      '<figure><img src="http://bad/"><img src="http://x.test/a"></figure>',
      '<figure><img src="media:id1" alt="Title"></figure>',
    ],
    [
      'a figure with a local image stays',
      '<figure><img src="http://bad/"><img src="/a.png"></figure>',
      '<figure><img src="/a.png"></figure>',
    ],
    ['a picture', '<p>x</p><picture><source srcset="http://bad/1"><img src="http://bad/2"></picture>', '<p>x</p>'],
    ['a list item stays', '<ul><li><img src="http://bad/"></li></ul>', '<ul><li></li></ul>'],
    ['a wrapper with other elements stays', '<div><img src="http://bad/"><hr></div>', '<div><hr></div>'],
    ['nested wrappers go together', '<div><div><p><img src="http://bad/"></p></div></div>z', 'z'],
    [
      'a sibling with text keeps the outer one',
      '<div><p><img src="http://bad/"></p><p>t</p></div>',
      '<div><p>t</p></div>',
    ],
  ])('%s', (_name, html, expected) => {
    expect(rewrite(html)).toBe(expected);
  });
});

test('a picture shows one image; in one that never ends each is an image of its own', () => {
  const images = '<img src="https://x.test/a.png"><img src="https://x.test/b.png">';
  expect(wanted(`<picture>${images}</picture>`)).toEqual([['https://x.test/a.png']]);
  expect(rewrite(`<picture>${images}</picture>`)).toBe('<img src="media:id0" alt="Title">');
  expect(wanted(`<picture>${images}`)).toEqual([['https://x.test/a.png'], ['https://x.test/b.png']]);
  expect(rewrite(`<picture>${images}`)).not.toContain('x.test');
});

test('an image without an end tag of its wrapper is left out alone', () => {
  expect(rewrite('<div><img src="http://bad/">')).toBe('<div>');
});

test('a body of a hundred thousand open elements costs its length', () => {
  const html = `${'<div>'.repeat(100_000)}<img src="http://x.test/a">${'</div>'.repeat(100_000)}`;
  expect(rewrite(html)).toContain('media:id0');
  expect(rewrite(`${'<div><p>'.repeat(50_000)}<img src="http://bad/">`)).not.toContain('<img');
});
