import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

const page = `<p>${'A sentence. '.repeat(200)}</p>`;
let site: EdgeSite;
let url: string;

beforeAll(async () => {
  site = await makeEdgeSite({ files: { '/': { body: page, csp: "default-src 'self'" } } });
  url = `${site.base}/`;
});
afterAll(closeStack);

describe('conditional requests', () => {
  test('a page has a strong ETag that both edges agree on, and must be asked for again', async () => {
    const [one, two] = [await visit(url, { edge: 0 }), await visit(url, { edge: 1 })];
    expect(one.headers.etag).toMatch(/^"[^"]+"$/);
    expect(two.headers.etag).toBe(one.headers.etag);
    expect(one.headers['cache-control']).toBe('no-cache');
  });

  test('every coding has an ETag of its own', async () => {
    const tags = [];
    for (const coding of ['identity', 'gzip', 'br'])
      tags.push((await visit(url, { headers: { 'accept-encoding': coding } })).headers.etag);
    expect(new Set(tags).size).toBe(3);
  });

  test.each(['identity', 'gzip', 'br'])(
    'If-None-Match with the tag of %s is 304 with what a cache needs',
    async (coding) => {
      const accept = { 'accept-encoding': coding };
      const { headers } = await visit(url, { headers: accept });
      for (const value of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
        const reply = await visit(url, { headers: { ...accept, 'if-none-match': value } });
        expect(reply.status).toBe(304);
        expect(reply.body).toHaveLength(0);
        expect(reply.headers.etag).toBe(headers.etag);
        expect(reply.headers['cache-control']).toBe(headers['cache-control']);
        expect(reply.headers.vary).toBe('Accept-Encoding');
        expect(reply.headers['content-encoding']).toBeUndefined();
        expect(reply.headers['content-type']).toBeUndefined();
      }
    },
  );

  test('HEAD is answered 304 too', async () => {
    const { headers } = await visit(url);
    expect((await visit(url, { method: 'HEAD', headers: { 'if-none-match': headers.etag! } })).status).toBe(304);
  });

  test('another tag, or the tag of another coding, gets the page', async () => {
    const brotli = await visit(url, { headers: { 'accept-encoding': 'br' } });
    for (const value of ['"other"', 'garbage', brotli.headers.etag!]) {
      const reply = await visit(url, { headers: { 'if-none-match': value } });
      expect([reply.status, reply.text]).toEqual([200, page]);
    }
  });

  test('a release with other bytes changes the tag, one with the same bytes keeps it', async () => {
    const before = (await visit(url)).headers.etag!;
    const changing = await makeEdgeSite({ files: { '/': { body: page } } });
    expect((await visit(`${changing.base}/`)).headers.etag).toBe(before);
    const different = await makeEdgeSite({ files: { '/': { body: `${page}.` } } });
    expect((await visit(`${different.base}/`)).headers.etag).not.toBe(before);
  });

  test('If-Match that does not name the page is 412', async () => {
    const { headers } = await visit(url);
    expect((await visit(url, { headers: { 'if-match': '"other"' } })).status).toBe(412);
    expect((await visit(url, { headers: { 'if-match': `W/${headers.etag}` } })).status).toBe(412);
    expect((await visit(url, { headers: { 'if-match': headers.etag! } })).status).toBe(200);
    expect((await visit(url, { headers: { 'if-match': '*' } })).status).toBe(200);
  });
});
