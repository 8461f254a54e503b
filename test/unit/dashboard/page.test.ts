import { expect, test } from '@jest/globals';
import type { BundleIndex } from '../../../services/dashboard/bundle.ts';
import { type PageRequest, renderPage } from '../../../services/dashboard/page.ts';

const index: BundleIndex = {
  sources: '0',
  scripts: ['main.js', 'program.js'],
  styles: ['all.css'],
  fonts: ['letters.woff2'],
  pages: [
    { path: '/', scripts: ['sites.js'], styles: [], reads: ['/me'] },
    { path: '/sites/$site', scripts: ['home.js'], styles: ['home.css'], reads: ['/me', '/v1/sites/$site?a=1&b=2'] },
    { path: '/sites/$site/content/$id', scripts: ['item.js'], styles: [], reads: ['/v1/sites/$site/content/$id'] },
  ],
};

/** The files and paths that a page names, by the relation of their link. */
function linksOf(request: Partial<PageRequest> & { path: string }) {
  const html = renderPage(index, { hasQuery: false, hasSession: true, nonce: 'n', ...request });
  const links = [...html.matchAll(/<link rel="(\w+)"(?: as="(\w+)")?[^>]* href="\/dashboard\/([^"]+)"/g)];
  const named = (rel: string, as?: string) =>
    links.filter(([, ownRel, ownAs]) => ownRel === rel && ownAs === as).map(([, , , target]) => target!);
  return { scripts: named('modulepreload'), styles: named('stylesheet'), reads: named('preload', 'fetch') };
}

test('the page names the scripts, style sheets and reads of the requested view', () => {
  expect(linksOf({ path: '/dashboard/sites/demo' })).toEqual({
    scripts: ['assets/program.js', 'assets/home.js'],
    styles: ['assets/all.css', 'assets/home.css'],
    reads: ['api/me', 'api/v1/sites/demo?a=1&amp;b=2'],
  });
  expect(linksOf({ path: '/dashboard/sites/demo/content/a-1' }).reads).toEqual(['api/v1/sites/demo/content/a-1']);
});

test.each(['/dashboard', '/dashboard/', '/dashboard/sites/demo/'])(
  'a slash at the end of %s makes no difference',
  (path) => {
    expect(linksOf({ path })).toEqual(linksOf({ path: path.replace(/\/$/, '') }));
    expect(linksOf({ path }).scripts).toHaveLength(2);
  },
);

test('a request without the cookie of a session names no reads', () => {
  const { scripts, reads } = linksOf({ path: '/dashboard/sites/demo', hasSession: false });
  expect([scripts, reads]).toEqual([['assets/program.js', 'assets/home.js'], []]);
});

test('a URL with a query, on which the reads may depend, names no reads', () => {
  expect(linksOf({ path: '/dashboard/sites/demo', hasQuery: true }).reads).toEqual([]);
});

test.each([
  '/dashboard/nothing',
  '/dashboard/sites/a%22b',
  '/dashboard/sites/"><script>alert(1)</script>',
  '/dashboard/sites/$&',
  '/dashboard/sites/a/b/c/d',
])('%s, which is no page, loads what every page needs, and is not part of the page', (path) => {
  expect(linksOf({ path })).toEqual({ scripts: ['assets/program.js'], styles: ['assets/all.css'], reads: [] });
  expect(renderPage(index, { path, hasQuery: false, hasSession: true, nonce: 'n' })).toBe(
    renderPage(index, { path: '/dashboard/other', hasQuery: false, hasSession: true, nonce: 'n' }),
  );
});
