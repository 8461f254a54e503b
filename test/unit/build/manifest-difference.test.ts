import { expect, test } from '@jest/globals';
import { comparePaths, createManifestWriter, type Manifest } from '../../../services/build/format.ts';

function manifestOf(files: Record<string, string>, redirects: Manifest['redirects'] = {}): Manifest {
  const writer = createManifestWriter('site', 'release', 'en');
  for (const [path, hash] of Object.entries(files))
    writer.add(path, { hash, bytes: 1, key: 'pack', offset: 0 }, 'text/html', null);
  writer.manifest.redirects = redirects;
  writer.manifest.not_found = [['/', '/404.html']];
  return writer.manifest;
}

// rule: beyond.13
test('paths are added, changed and removed as their bytes are', () => {
  const before = manifestOf({ '/': 'a', '/same/': 'b', '/gone/': 'c' });
  const now = manifestOf({ '/': 'd', '/same/': 'b', '/new/': 'e' });
  expect(comparePaths(before, now)).toEqual({ added: ['/new/'], changed: ['/'], removed: ['/gone/'] });
});

test('the first release adds all that it has', () => {
  expect(comparePaths(null, manifestOf({ '/': 'a', '/feed.xml': 'b' }))).toEqual({
    added: ['/', '/feed.xml'],
    changed: [],
    removed: [],
  });
});

test('assets with a hash in their name and 404 pages are not listed', () => {
  const now = manifestOf({ '/404.html': 'a', '/_assets/style.1a2b3c4d.css': 'b' });
  expect(comparePaths(null, now)).toEqual({ added: [], changed: [], removed: [] });
});

test('a redirect is what visitors get at its path, also where a page lies below it', () => {
  const before = manifestOf({ '/about/': 'a', '/moved/': 'b' });
  const now = manifestOf({ '/about/': 'a', '/new/': 'b' }, { '/about': ['/new/', 301], '/moved/': ['/new/', 301] });
  expect(comparePaths(before, now)).toEqual({
    added: ['/new/', '/about'],
    changed: ['/about/', '/moved/'],
    removed: [],
  });
});

test('another target or status of a redirect is a change', () => {
  const to = (target: string, status: number) => manifestOf({}, { '/old/': [target, status] });
  expect(comparePaths(to('/a/', 301), to('/b/', 301)).changed).toEqual(['/old/']);
  expect(comparePaths(to('/a/', 301), to('/a/', 302)).changed).toEqual(['/old/']);
  expect(comparePaths(to('/a/', 301), to('/a/', 301)).changed).toEqual([]);
});
