import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { archivePath, isReservedSlug, itemPath, itemUrl, relativePath } from '../../../services/core/public-paths.ts';

const site = { slug: 'demo', domain: null, default_locale: 'en', locales: [{ locale: 'en' }, { locale: 'pt-BR' }] };

describe('public paths', () => {
  test.each([
    [{ type: 'page', slug: 'about', locale: 'en' }, '/about/'],
    [{ type: 'post', slug: 'hello', locale: 'en' }, '/posts/hello/'],
    [{ type: 'recipe', slug: 'soup', locale: 'en' }, '/recipe/soup/'],
    [{ type: 'page', slug: 'sobre', locale: 'pt-BR' }, '/pt-BR/sobre/'],
    [{ type: 'post', slug: 'ola', locale: 'pt-BR' }, '/pt-BR/posts/ola/'],
  ])('of %j is %s', (item, path) => {
    expect(itemPath(item, site)).toBe(path);
  });

  test('of archives', () => {
    expect(archivePath(1, 'en', site)).toBe('/posts/');
    expect(archivePath(2, 'en', site)).toBe('/posts/page/2/');
    expect(archivePath(3, 'pt-BR', site)).toBe('/pt-BR/posts/page/3/');
  });
});

test('an address is on the domain, else under the edge', () => {
  const item = { type: 'post', slug: 'hello', locale: 'en' };
  const config = { edgeUrl: 'https://edge.test' };
  expect(itemUrl(item, site, config)).toBe('https://edge.test/sites/demo/posts/hello/');
  expect(itemUrl(item, { ...site, domain: 'demo.test' }, config)).toBe('https://demo.test/posts/hello/');
});

test.each([
  ['posts', true],
  ['pt-br', true],
  ['en', true],
  ['about', false],
  ['posts-2', false],
])('the page slug %s is reserved: %s', (slug, reserved) => {
  expect(isReservedSlug(slug, site)).toBe(reserved);
});

describe('relative links', () => {
  test.each([
    ['/', '/', './'],
    ['/', '/posts/a/', 'posts/a/'],
    ['/posts/a/', '/', '../../'],
    ['/posts/a/', '/posts/a/', './'],
    ['/posts/a/', '/posts/b/', '../b/'],
    ['/posts/a/', '/_assets/style.1.css', '../../_assets/style.1.css'],
    ['/a/', '/b/?q=1#x', '../b/?q=1#x'],
    ['/', '/x:y/', './x:y/'],
  ])('from %s to %s are %s', (from, to, link) => {
    expect(relativePath(from, to)).toBe(link);
  });

  test('lead where they should, wherever the site is mounted', () => {
    const segment = fc.stringMatching(/^[a-z0-9_.-]{1,8}$/).filter((text) => !/^\.{1,2}$/.test(text));
    const path = fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.map((part) => `${part}/`).join('')}`);
    fc.assert(
      fc.property(path, path, fc.constantFrom('', '/sites/demo'), (from, to, mount) => {
        const base = `https://host.test${mount}`;
        expect(new URL(relativePath(from, to), base + from).href).toBe(base + to);
      }),
    );
  });
});
