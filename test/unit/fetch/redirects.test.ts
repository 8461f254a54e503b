import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { createRoutedDial, createTestFetcher, serveHttp, type TestServer } from './servers.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(handler: RequestListener) {
  const server = await serveHttp(handler);
  servers.push(server);
  return server;
}

function redirectTo(location: string, status = 302): RequestListener {
  return (_request, response) => response.writeHead(status, { location }).end();
}

test.each([301, 302, 303, 307, 308])('status %i is followed, relative or absolute', async (status) => {
  const server = await serve((request, response) => {
    if (request.url === '/a') redirectTo('b/../c?x=1#part', status)(request, response);
    else if (request.url === '/c?x=1') redirectTo(`${server.url}/end`, status)(request, response);
    else response.end(`${request.method} ${request.url}`);
  });
  const answer = await createTestFetcher({ allow: [server.pair] }).fetchBytes(`${server.url}/a`, { maxBytes: 100 });
  expect([answer.url, answer.status, answer.bytes.toString()]).toEqual([`${server.url}/end`, 200, 'GET /end']);
});

test('HEAD stays HEAD', async () => {
  const methods: unknown[] = [];
  const server = await serve((request, response) => {
    methods.push(request.method);
    if (request.url === '/a') redirectTo('/b')(request, response);
    else response.writeHead(200, { 'content-length': 999_999 }).end();
  });
  const answer = await createTestFetcher({ allow: [server.pair] }).open(`${server.url}/a`, {
    method: 'HEAD',
    maxBytes: 10,
  });
  answer.close();
  expect([answer.status, answer.headers['content-length'], methods]).toEqual([200, '999999', ['HEAD', 'HEAD']]);
});

const inside = (port: number): [string, string][] => [
  [`http://127.0.0.1:${port}/`, 'refused_address'],
  [`//127.0.0.1:${port}/`, 'refused_address'],
  [`http://localhost:${port}/`, 'refused_address'],
  [`http://2130706433:${port}/`, 'refused_address'],
  [`http://[::ffff:127.0.0.1]:${port}/`, 'refused_address'],
  [`http://0x7f.1:${port}/`, 'refused_address'],
  ['http://169.254.169.254/latest/meta-data/', 'refused_address'],
  ['http://inside.example/', 'refused_address'],
  ['https://10.0.0.1/', 'refused_address'],
  ['http://8.8.8.8:22/', 'refused_port'],
  ['file:///etc/passwd', 'refused_scheme'],
  ['gopher://127.0.0.1/', 'refused_scheme'],
  ['javascript:1', 'refused_scheme'],
  ['http://a:b@8.8.8.8/', 'refused_credentials'],
  ['http://[', 'invalid_url'],
];

// rule: media.7, break.18, threat.15
test('every hop is checked: a redirect inside is refused and never connected', async () => {
  const canary = await serve((_request, response) => response.end('inside'));
  for (const [location, code] of inside(canary.port)) {
    const entry = await serve(redirectTo(location));
    const fetcher = createTestFetcher({ allow: [entry.pair], resolve: async () => ['10.0.0.5'] });
    await expect(fetcher.open(entry.url, { maxBytes: 100 })).rejects.toMatchObject({ code });
  }
  expect(canary.connections()).toBe(0);
});

test('the allow-list is literal: another port, name or notation of the same host is not on it', async () => {
  const server = await serve((_request, response) => response.end('hello'));
  const fetcher = createTestFetcher({ allow: [server.pair], resolve: async () => ['127.0.0.1'] });
  for (const host of ['localhost', 'site.example', '[::1]', '[::ffff:127.0.0.1]', '127.0.0.2']) {
    await expect(fetcher.open(`http://${host}:${server.port}/`, { maxBytes: 100 })).rejects.toMatchObject({
      code: expect.stringMatching(/^refused_/),
    });
  }
  await expect(fetcher.open('http://127.0.0.1/', { maxBytes: 100 })).rejects.toMatchObject({ code: 'refused_address' });
  expect(server.connections()).toBe(0);
});

test.each([
  '127.0.0.1',
  'host:0',
  'host:65536',
  'http://host:80',
  'host:80/path',
  '::1:80',
  'user@host:80',
  '',
  'host:',
  ':80',
])('an allow-list entry %j is not host:port', (entry) =>
  expect(() => createTestFetcher({ allow: [entry] })).toThrow('not of the form host:port'),
);

test('a chain longer than the cap ends', async () => {
  let hops = 0;
  const server = await serve((request, response) => redirectTo(`/${++hops}`)(request, response));
  const fetcher = createTestFetcher({ allow: [server.pair] });
  const opening = fetcher.open(server.url, { maxBytes: 100, maxRedirects: 3 });
  await expect(opening).rejects.toMatchObject({ code: 'too_many_redirects' });
  expect(hops).toBe(4);
});

test('a redirect without a place to go is a bad response', async () => {
  const server = await serve((_request, response) => response.writeHead(302).end());
  const opening = createTestFetcher({ allow: [server.pair] }).open(server.url, { maxBytes: 100 });
  await expect(opening).rejects.toMatchObject({ code: 'bad_response' });
});

test('every hop has its own connection, and cookies are not kept', async () => {
  const cookies: unknown[] = [];
  const server = await serve((request, response) => {
    cookies.push(request.headers.cookie);
    response.setHeader('set-cookie', 'a=b');
    response.writeHead(request.url === '/end' ? 200 : 302, { location: '/end' }).end();
  });
  const { dial, dialled } = createRoutedDial(server);
  const fetcher = createTestFetcher({ dial, resolve: async () => ['8.8.8.8'] });
  await fetcher.fetchBytes('http://site.example/', { maxBytes: 100 });
  expect([dialled.length, server.connections(), cookies]).toEqual([2, 2, [undefined, undefined]]);
});
