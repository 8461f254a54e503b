import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashBytes, openObjectStore } from '../../services/engines/objects/store.ts';
import { closeStack, stackConfig, stackDatabase } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

const small = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
/** Larger than the edge's memory cache accepts, and not a multiple of its pieces. */
const large = Buffer.alloc(5_000_003, 0).map((_, index) => (index * 31) % 253);
let site: EdgeSite;

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  visit(site.base + path, { method, headers });

beforeAll(async () => {
  site = await makeEdgeSite({
    files: {
      '/': { body: `<p>${'text '.repeat(300)}</p>` },
      '/_assets/s.1.png': { body: small, type: 'image/png' },
      '/_assets/v.1.mp4': { body: Buffer.from(large), type: 'video/mp4' },
    },
  });
});
afterAll(closeStack);

describe.each([
  ['held in memory', '/_assets/s.1.png', small],
  ['streamed', '/_assets/v.1.mp4', Buffer.from(large)],
])('ranges of a file that is %s', (_, path, bytes) => {
  const size = bytes.length;

  test('the whole file comes back byte for byte', async () => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['accept-ranges']).toBe('bytes');
    expect(reply.headers['content-length']).toBe(String(size));
    expect(reply.body.equals(bytes)).toBe(true);
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=${size - 3}-`, size - 3, size - 1],
    [`bytes=500-${size * 2}`, 500, size - 1],
  ])('%s is 206 with exactly these bytes', async (range, first, last) => {
    const reply = await get(path, { range });
    expect(reply.status).toBe(206);
    expect(reply.headers['content-range']).toBe(`bytes ${first}-${last}/${size}`);
    expect(reply.headers['content-length']).toBe(String(last - first + 1));
    expect(reply.body.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('a range beyond the end is 416 and names the size', async () => {
    const reply = await get(path, { range: `bytes=${size}-` });
    expect(reply.status).toBe(416);
    expect(reply.headers['content-range']).toBe(`bytes */${size}`);
  });

  test.each(['bytes=5-1', 'bytes=x-y', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=-'])(
    '%s is answered with the whole',
    async (range) => {
      const reply = await get(path, { range });
      expect([reply.status, reply.body.length]).toEqual([200, size]);
    },
  );

  test('If-Range serves the part only under the same strong tag', async () => {
    const { etag } = (await get(path, {}, 'HEAD')).headers;
    expect((await get(path, { range: 'bytes=0-1', 'if-range': etag! })).status).toBe(206);
    expect((await get(path, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await get(path, { range: 'bytes=0-1', 'if-range': `W/${etag}` })).status).toBe(200);
    expect((await get(path, { range: 'bytes=0-1', 'if-range': new Date().toUTCString() })).status).toBe(200);
  });

  test('HEAD ignores Range; If-None-Match comes before it', async () => {
    expect((await get(path, { range: 'bytes=0-1' }, 'HEAD')).status).toBe(200);
    const { etag } = (await get(path, {}, 'HEAD')).headers;
    expect((await get(path, { range: 'bytes=0-1', 'if-none-match': etag! })).status).toBe(304);
  });
});

test('a range of a page is of its plain bytes, even for a client that takes brotli', async () => {
  const reply = await get('/', { range: 'bytes=0-2', 'accept-encoding': 'br' });
  expect([reply.status, reply.text]).toEqual([206, '<p>']);
  expect(reply.headers['content-encoding']).toBeUndefined();
});

test.each([
  ['held in memory', 1000],
  ['streamed', 5_000_000],
])('a file that is %s and was stored again elsewhere is served from there', async (_, size) => {
  const bytes = randomBytes(size);
  const moved = await makeEdgeSite({
    files: { '/': { body: randomBytes(20).toString('hex') }, '/_assets/m.1.mp4': { body: bytes, type: 'video/mp4' } },
  });
  const hash = hashBytes(bytes);
  const store = openObjectStore(stackConfig().objects, stackDatabase());
  const place = (await store.locate([hash])).get(hash)!;
  await stackDatabase().query('DELETE FROM objects WHERE hash = $1', [hash]);
  await store.putStream(Readable.from([bytes]), { maxBytes: size });
  await store.removeObjects([place.key]);
  const whole = await visit(`${moved.base}/_assets/m.1.mp4`);
  expect([whole.status, whole.body.equals(bytes)]).toEqual([200, true]);
  const part = await visit(`${moved.base}/_assets/m.1.mp4`, { headers: { range: 'bytes=500-' } });
  expect([part.status, part.body.equals(bytes.subarray(500))]).toEqual([206, true]);
});
