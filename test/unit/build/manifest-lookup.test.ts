import { describe, expect, test } from '@jest/globals';
import {
  adaptNotFoundLinks,
  type FileEntry,
  type Manifest,
  notFoundRoot,
  resolvePath,
} from '../../../services/build/manifest.ts';

const page: FileEntry = ['h', 1, 0, 0, 0, 0];
const file: FileEntry = ['h', 1, 1, 0, 0, -1];
const manifest: Manifest = {
  format: 1,
  site: 's',
  release: 'r',
  default_locale: 'en',
  packs: ['packs/p'],
  types: ['text/html; charset=utf-8', 'text/css; charset=utf-8'],
  policies: ["default-src 'self'"],
  files: {
    '/': page,
    '/about/': page,
    '/404.html': page,
    '/fr/': page,
    '/fr/404.html': page,
    '/_assets/a b.12.css': file,
  },
  redirects: { '/old': ['/about/', 301], '/café/': ['/', 302], '/about-us/': ['https://host.test/', 308] },
  not_found: [
    ['/fr/', '/fr/404.html'],
    ['/', '/404.html'],
  ],
};

describe('a URL path of a release', () => {
  test('leads to a page with its policy', () => {
    expect(resolvePath(manifest, () => manifest, '/about/')).toMatchObject({
      kind: 'file',
      file: { csp: "default-src 'self'", immutable: false },
    });
  });
  test('is percent-decoded; an asset is immutable and has no policy', () => {
    expect(resolvePath(manifest, () => manifest, '/_assets/a%20b.12.css')).toMatchObject({
      kind: 'file',
      file: { csp: null, immutable: true, key: 'packs/p' },
    });
  });
  test.each([
    ['/about', '/about/', 301],
    ['/about/index.html', '/about/', 301],
    ['/index.html', '/', 301],
    ['/old', '/about/', 301],
    ['/old/', '/about/', 301],
    ['/caf%C3%A9', '/', 302],
    ['/about-us', 'https://host.test/', 308],
  ])('%s redirects to %s', (path, to, status) => {
    expect(resolvePath(manifest, () => manifest, path)).toEqual({ kind: 'redirect', to, status });
  });
  test.each([
    ['/nothing', '/404.html'],
    ['/fr/rien/', '/fr/404.html'],
    ['/__proto__', '/404.html'],
    ['/%', '/404.html'],
    ['/%00', '/404.html'],
  ])('%s is the 404 page %s', (path, shown) => {
    expect(resolvePath(manifest, () => manifest, path)).toMatchObject({ kind: 'not_found', file: { path: shown } });
  });
});

test.each([
  ['/x', './posts/'],
  ['/a/b', '../posts/'],
  ['/a/b/c/', '../../../posts/'],
])('links of the 404 page work at %s', (path, link) => {
  expect(adaptNotFoundLinks(`<a href="${notFoundRoot}posts/">`, path)).toBe(`<a href="${link}">`);
});
