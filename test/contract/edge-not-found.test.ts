import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

let site: EdgeSite;
let bare: EdgeSite;

const notFoundPage = (language: string) =>
  `<html lang="${language}"><link href="/.root/_assets/style.css"><a href="/.root/">home</a>${'<!-- filling -->'.repeat(30)}</html>`;

beforeAll(async () => {
  site = await makeEdgeSite({
    files: {
      '/': { body: 'home' },
      '/404.html': { body: notFoundPage('en') },
      '/fr/404.html': { body: notFoundPage('fr') },
    },
    notFound: [
      ['/fr/', '/fr/404.html'],
      ['/', '/404.html'],
    ],
  });
  bare = await makeEdgeSite({ files: { '/': { body: 'home' } } });
});
afterAll(closeStack);

describe("the site's own 404 page", () => {
  test.each([
    ['/nothing', 'en', './'],
    ['/nothing/', 'en', '../'],
    ['/a/b/c', 'en', '../../'],
    ['/fr/rien/', 'fr', '../../'],
    ['/_assets/none.123.css', 'en', '../'],
  ])('%s gets the page of its locale (%s) with links that fit', async (path, language, root) => {
    for (const reply of [await visit(site.base + path), await visit(path, { headers: { host: site.domain } })]) {
      expect(reply.status).toBe(404);
      expect(reply.text).toContain(`lang="${language}"`);
      expect(reply.text).toContain(`href="${root}_assets/style.css"`);
      expect(reply.text).not.toContain('/.root/');
      expect(reply.headers['cache-control']).toBe('no-cache');
    }
  });

  test('a very deep address gets links from the root of the site', async () => {
    const path = `/${'x/'.repeat(40)}`;
    expect((await visit(site.base + path)).text).toContain(`href="${site.base}/_assets/style.css"`);
    expect((await visit(path, { headers: { host: site.domain } })).text).toContain('href="/_assets/style.css"');
  });

  test('it is compressed like every page, and never 304 or 206', async () => {
    const url = `${site.base}/nothing`;
    const reply = await visit(url, { headers: { 'accept-encoding': 'br' } });
    expect(brotliDecompressSync(reply.body).toString()).toContain('href="./"');
    expect((await visit(url, { headers: { 'if-none-match': '*' } })).status).toBe(404);
    expect((await visit(url, { headers: { range: 'bytes=0-1' } })).status).toBe(404);
    const head = await visit(url, { method: 'HEAD' });
    expect([head.status, head.body.length]).toEqual([404, 0]);
  });

  test('a site without one answers with a plain page', async () => {
    expect((await visit(`${bare.base}/nothing`)).status).toBe(404);
  });
});

test.each([
  '/../',
  '/..',
  '/./',
  '/%2e%2e/',
  '//',
  '/__proto__',
  '/constructor',
  '/toString/',
  '/index.html/',
  '/a%2F..%2F',
  '/%5c..%5c',
])('%s names nothing', async (path) => {
  const reply = await visit(path, { headers: { host: site.domain } });
  expect(reply.status).toBe(404);
});
