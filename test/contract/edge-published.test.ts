import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

let site: TestSite;
let base: string;

beforeAll(async () => {
  site = await makeSite();
  base = `/sites/${site.slug}`;
  const item = { title: 'Hello', slug: 'hello', body_html: '<p>Hello, visitor.</p>', status: 'published' };
  await site.request('POST', '/content', item);
  await site.request('POST', '/content', { ...item, title: 'About', slug: 'about', type: 'page' });
  await publish(site);
});
afterAll(closeStack);

describe('a published site', () => {
  test.each(['/', '/about/', '/posts/', '/posts/hello/'])(
    '%s is a page with a policy, from both edges',
    async (path) => {
      for (const edge of [0, 1]) {
        const reply = await visit(base + path, { edge });
        expect(reply.status).toBe(200);
        expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(reply.headers['content-security-policy']).toContain("object-src 'none'");
        expect(reply.headers['cache-control']).toBe('no-cache');
      }
    },
  );

  test.each([
    ['/feed.xml', /^application\/(?:atom|rss)\+xml/],
    ['/sitemap.xml', /^application\/xml/],
    ['/robots.txt', /^text\/plain/],
  ])('%s has its type', async (path, type) => {
    const reply = await visit(base + path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(type);
    expect(reply.headers['content-disposition']).toBeUndefined();
  });

  test('the style sheet that a page links is immutable and is a style sheet', async () => {
    const page = await visit(`${base}/posts/hello/`);
    const link = /<link[^>]+href="([^"]+\.css)"/.exec(page.text)?.[1];
    const reply = await visit(new URL(link!, `http://edge.example${base}/posts/hello/`).pathname);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/css/);
    expect(reply.headers['cache-control']).toContain('immutable');
  });

  test("an unknown address gets the site's 404 page, whose links work", async () => {
    const reply = await visit(`${base}/no/such/page/`);
    expect(reply.status).toBe(404);
    const link = /<link[^>]+href="([^"]+\.css)"/.exec(reply.text)?.[1];
    expect((await visit(new URL(link!, `http://edge.example${base}/no/such/page/`).pathname)).status).toBe(200);
  });
});
