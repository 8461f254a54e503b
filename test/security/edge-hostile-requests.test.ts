import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, stack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, sendBytes, visit } from '../harness/edge.ts';

let site: EdgeSite;

beforeAll(async () => {
  site = await makeEdgeSite({ files: { '/': { body: 'home' }, '/about/': { body: 'about' } } });
});
afterEach(async () => {
  expect((await visit(`${site.base}/`, { edge: 0 })).text).toBe('home');
});
afterAll(closeStack);

const statusesOf = (raw: string) => [...raw.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
const get = (target: string, extra = '') =>
  sendBytes(`GET ${target} HTTP/1.1\r\nHost: ${site.domain}\r\nConnection: close\r\n${extra}\r\n`);

describe('hostile targets', () => {
  test.each([
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/about/..%5c..%5c',
    '//evil.example/..',
    '/\\evil.example',
    '/%5cevil.example',
    '/.root/',
  ])('%s is 404', async (target) => {
    expect(statusesOf(await get(target))).toEqual([404]);
  });

  test.each([
    '/%00',
    '/about/%00',
    '/%',
    '/%f',
    '/%zz',
    '/%c0%ae%c0%ae/',
    '/%ff%fe',
    '/%ed%a0%80',
    '/%0d%0aSet-Cookie:%20a=b',
    '/%7f',
  ])('%s is 400', async (target) => {
    expect(statusesOf(await get(target))).toEqual([400]);
  });

  test.each(['/caf\u00e9', '/a b', 'about', '', '/a\tb'])('%p is no target', async (target) => {
    expect(statusesOf(await get(target))).toEqual([400]);
  });

  // rule: threat.30
  test('an overlong target is 414, overlong headers are 431', async () => {
    expect(statusesOf(await get(`/${'a'.repeat(10_000)}`))).toEqual([414]);
    expect(statusesOf(await get(`/${'a'.repeat(100_000)}`))).toEqual([431]);
    expect(statusesOf(await get('/', `X-Long: ${'a'.repeat(100_000)}\r\n`))).toEqual([431]);
  });

  // rule: threat.31
  test('no redirect leads to another host or carries a header', async () => {
    for (const target of [
      '//evil.example',
      '//evil.example/about',
      '/about?x=//evil.example',
      '/about?x=%0d%0aX:%20y',
    ]) {
      const raw = await get(target);
      expect(raw).not.toMatch(/^Location: (?:\/\/|https?:|\\)/im);
      expect(raw).not.toMatch(/^X: y/im);
    }
  });
});

describe('hostile requests', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s is 405 and says what is allowed',
    async (method) => {
      const reply = await visit(`${site.base}/`, { method });
      expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, HEAD']);
    },
  );

  test.each<[string, string, number[]]>([
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`, [405]],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n', [405]],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', [400]],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n', [400]],
    ['not HTTP', '\x16\x03\x01\x00\x00 hello\r\n\r\n', [400]],
    ['an unknown method', 'EVIL / HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    [
      'smuggling by two lengths',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', [400]],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', [400]],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ])('%s is refused cleanly', async (_, bytes, statuses) => {
    expect(statusesOf(await sendBytes(bytes))).toEqual(statuses);
  });

  test('an upgrade is not taken up', async () => {
    const raw = await get('/', 'Upgrade: websocket\r\nConnection: Upgrade\r\n');
    expect(statusesOf(raw)).toEqual([200]);
  });

  // rule: threat.30
  test('odd values of headers that we read never fail', async () => {
    const values = [
      '',
      ',',
      '*',
      '"',
      'W/',
      '\u00ff\u00fe',
      'bytes=',
      'bytes=--1',
      'x'.repeat(4000),
      ';q=;q=;q',
      'br;q=NaN',
      '"a'.repeat(500),
    ];
    for (const name of ['Accept-Encoding', 'Range', 'If-Range', 'If-None-Match', 'Host', 'If-Modified-Since']) {
      for (const value of values) {
        const reply = await visit(`${site.base}/`, { headers: { [name]: value }, edge: 0 });
        expect([200, 206, 304, 400, 404, 416]).toContain(reply.status);
      }
    }
  });

  test('pipelined requests are answered in order', async () => {
    const one = (path: string, close = '') => `GET ${path} HTTP/1.1\r\nHost: ${site.domain}\r\n${close}\r\n`;
    const raw = await sendBytes(one('/') + one('/none') + one('/about/') + one('/about', 'Connection: close\r\n'));
    expect(statusesOf(raw)).toEqual([200, 404, 200, 301]);
  });

  test('a visitor who leaves in the middle of a body harms nobody', async () => {
    const large = await makeEdgeSite({
      files: { '/_assets/v.1.mp4': { body: Buffer.alloc(6_000_000, 1), type: 'video/mp4' } },
    });
    const leave = async () => {
      const controller = new AbortController();
      const url = `${stack.edges[0]}${large.base}/_assets/v.1.mp4`;
      const response = await fetch(url, { signal: controller.signal });
      await response.body!.getReader().read();
      controller.abort();
    };
    await Promise.all(Array.from({ length: 20 }, leave));
  });
});
