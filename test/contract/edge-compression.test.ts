import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

const page = `<p>${'Compressible text, zażółć gęślą jaźń. '.repeat(300)}</p>`;
const picture = Buffer.alloc(4000, 7);
let site: EdgeSite;

const get = (path: string, acceptEncoding?: string, method = 'GET') =>
  visit(site.base + path, {
    method,
    headers: acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
  });

beforeAll(async () => {
  site = await makeEdgeSite({
    files: {
      '/': { body: page },
      '/tiny/': { body: 'tiny' },
      '/empty/': { body: '' },
      '/_assets/p.1.png': { body: picture, type: 'image/png' },
      '/feed.xml': { body: `<feed>${'x'.repeat(999)}</feed>`, type: 'application/atom+xml' },
    },
  });
});
afterAll(closeStack);

describe('compression', () => {
  test('brotli is preferred, gzip is next, and both unfold to the page', async () => {
    const br = await get('/', 'gzip, deflate, br, zstd');
    expect(br.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(br.body).toString()).toBe(page);
    const gzip = await get('/', 'gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.body).toString()).toBe(page);
    expect(br.headers['content-length']).toBe(String(br.body.length));
    expect(br.body.length).toBeLessThan(page.length);
  });

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['identity, br;q=0.5', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['*', 'br'],
    ['identity;q=0, *', 'br'],
    ['', undefined],
    ['nonsense', undefined],
  ])('"%s" is answered with %s', async (header, coding) => {
    const reply = await get('/', header);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-encoding']).toBe(coding);
    expect(reply.headers.vary).toBe('Accept-Encoding');
  });

  test('without the header the page goes out as it is, and caches are told that it varies', async () => {
    const reply = await get('/');
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.headers.vary).toBe('Accept-Encoding');
    expect(reply.text).toBe(page);
  });

  test('nothing acceptable is 406', async () => {
    expect((await get('/', 'identity;q=0')).status).toBe(406);
    expect((await get('/', '*;q=0')).status).toBe(406);
  });

  test('what does not gain by it is not compressed, unless plain bytes are refused', async () => {
    for (const path of ['/tiny/', '/empty/', '/_assets/p.1.png']) {
      expect((await get(path, 'br, gzip')).headers['content-encoding']).toBeUndefined();
    }
    const forced = await get('/tiny/', 'gzip, identity;q=0');
    expect(gunzipSync(forced.body).toString()).toBe('tiny');
  });

  test('XML is compressed', async () => {
    expect((await get('/feed.xml', 'br')).headers['content-encoding']).toBe('br');
  });

  test('HEAD has the headers of GET and no body', async () => {
    for (const coding of ['identity', 'br']) {
      const [got, head] = [await get('/', coding), await get('/', coding, 'HEAD')];
      const { date: _d1, ...headersOfGet } = got.headers;
      const { date: _d2, ...headersOfHead } = head.headers;
      expect(headersOfHead).toEqual(headersOfGet);
      expect(head.body).toHaveLength(0);
    }
  });
});
