import { expect, test } from '@jest/globals';
import { canonicalPath, ownPath, spellingsOf } from '../../../services/features/redirects/canonical.ts';

const site = { slug: 's', domain: 'example.com', aliases: ['example.org'] };
const config = { edgeUrl: 'https://edge.test' };

test.each([
  ['https://example.com//', '/'],
  ['https://example.com//evil.test/x', '//evil.test/x'],
  ['https://example.com', '/'],
  ['https://edge.test/sites/s/a/', '/a'],
  ['https://edge.test/sites/s', '/'],
  ['https://other.test/a', null],
  ['/a/%C3%A9/', '/a/é'],
  ['/a%2Fb', '/a%2Fb'],
])('a target %s leads to the path %s', (to, path) => {
  expect(ownPath(to, site, config)).toBe(path);
});

test('a path of slashes alone is the home page', () => {
  expect(canonicalPath('/')).toBe('/');
  expect(canonicalPath('///')).toBe('/');
  expect(spellingsOf('/a/b/')).toContain('/a/b');
});
