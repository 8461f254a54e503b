import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { sendPieces, sendRaw } from '../harness/raw.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const body = '{"title":"smuggled"}';
const target = () => `/api/v1/sites/${site.slug}/content`;
const head = (...lines: string[]) =>
  [`Host: x`, 'Connection: close', `X-API-Key: ${site.key}`, 'Content-Type: application/json', ...lines, '', ''].join(
    '\r\n',
  );
const post = (lines: string[], rest = body) => `POST ${target()} HTTP/1.1\r\n${head(...lines)}${rest}`;
const get = (start: string, ...lines: string[]) => `${start}\r\n${head(...lines)}`;
const second = () => `GET /api/v1/sites HTTP/1.1\r\n${head()}`;

/** Requests that two servers in a chain may parse differently. */
const shapes: [what: string, status: number, bytes: () => string][] = [
  [
    'a request behind a length and chunks',
    400,
    () => post(['Content-Length: 5', 'Transfer-Encoding: chunked'], `0\r\n\r\n${second()}`),
  ],
  ['a hexadecimal length', 400, () => post(['Content-Length: 0x14'])],
  ['a length with a sign', 400, () => post(['Content-Length: +20'])],
  ['chunks among other codings', 400, () => post(['Transfer-Encoding: identity, chunked, identity'])],
  ['a coding that only ends like chunked', 400, () => post(['Transfer-Encoding: xchunked'])],
  ['a space before the colon', 400, () => post([`Content-Length : ${body.length}`])],
  ['a folded header', 400, () => post(['X-A: b\r\n c: d', 'Content-Length: 3'], '{}x')],
  [
    'a hexadecimal chunk size with its prefix',
    400,
    () => post(['Transfer-Encoding: chunked'], `0x14\r\n${body}\r\n0\r\n\r\n`),
  ],
  ['a request line without a version', 200, () => get(`GET ${target()}`)],
  ['an unknown version', 400, () => get(`GET ${target()} HTTP/9.9`)],
  ['lines that end with LF alone', 400, () => get(`GET ${target()} HTTP/1.1`).replaceAll('\r', '')],
  ['NUL in the target', 400, () => get(`GET ${target()}\0 HTTP/1.1`)],
  [
    'three thousand headers',
    431,
    () => get(`GET ${target()} HTTP/1.1`, ...Array.from({ length: 3000 }, (_, n) => `X-${n}: a`)),
  ],
  ['a target of 60,000 bytes', 431, () => get(`GET ${target()}?q=${'a'.repeat(60_000)} HTTP/1.1`)],
  ['a control character in the method', 400, () => get(`G\x01T ${target()} HTTP/1.1`)],
  ['a method in lower case', 400, () => get(`get ${target()} HTTP/1.1`)],
  ['CONNECT', 405, () => get('CONNECT x:443 HTTP/1.1')],
  ['TRACE', 405, () => get(`TRACE ${target()} HTTP/1.1`)],
  ['the preface of HTTP/2', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

describe('a request with', () => {
  test.each(shapes)('%s is %d, one response, and stores nothing', async (_what, status, bytes) => {
    const reply = await sendPieces([bytes()]);
    expect(reply.status).toBe(status);
    expect(reply.body.toString('latin1')).not.toContain('HTTP/1.1 ');
    expect((await site.request('GET', '/content')).json.pagination.total).toBe(0);
  });

  test.each(['*', '//', '/%', '/api/v1/%zz', '/api/v1/sites/%', '/api/v1/../v1/sites', '/api/v1/sites/..%2f'])(
    'the target %s is a 4xx',
    async (odd) => {
      const { status } = await sendRaw({ target: odd, headers: { 'X-API-Key': site.key } });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );

  test.each(['/api/v1/sites?%', '/api/v1/sites#x', '/openapi.json?x=%'])('the target %s is answered', async (odd) => {
    expect((await sendRaw({ target: odd, headers: { 'X-API-Key': site.key } })).status).toBe(200);
  });

  test.each([
    'X-Request-Id',
    'Idempotency-Key',
    'X-Delivery-Id',
    'If-None-Match',
    'Accept',
    'Range',
    'X-Forwarded-For',
  ])('dirt in the header %s is answered', async (name) => {
    const headers = { 'X-API-Key': site.key, [name]: 'DELETE, "x", <y>; =\xff' };
    expect((await sendRaw({ target: '/api/v1/sites', headers })).status).toBe(200);
  });

  test('another method in a header is what its own method says', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    expect((await site.request('POST', '/content', { title: 'Over' }, { headers })).status).toBe(201);
  });

  test('a body where none belongs is answered as without it', async () => {
    const { data } = await site.request('POST', '/content', { title: 'x' });
    for (const method of ['GET', 'DELETE'] as const) {
      const headers = { 'X-API-Key': site.key, 'Content-Type': 'application/json' };
      expect((await sendRaw({ method, target: `${target()}/${data.id}`, headers, body: '{"a":1}' })).status).toBe(200);
    }
  });
});
