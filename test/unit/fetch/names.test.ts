import { afterEach, describe, expect, test } from '@jest/globals';
import { type ResolveHost, resolveHost } from '../../../services/engines/fetch/resolve.ts';
import { createRoutedDial, createTestFetcher, serveHttp, type TestServer } from './servers.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function openWith(resolve: ResolveHost, url = 'http://site.example/') {
  const server = await serveHttp((_request, response) => response.end('hello'));
  servers.push(server);
  const { dial, dialled } = createRoutedDial(server);
  const outcome = await createTestFetcher({ resolve, dial })
    .fetchBytes(url, { maxBytes: 100 })
    .then(
      (answer) => ({ text: answer.bytes.toString(), code: '', message: '' }),
      (error) => ({ text: '', code: error.code, message: error.message }),
    );
  return { ...outcome, dialled };
}

describe('a name is judged by every address it resolves to', () => {
  const inside = [
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['172.20.0.1'],
    ['192.168.1.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['224.0.0.1'],
    ['::1'],
    ['::'],
    ['fd00::1'],
    ['fe80::1%eth0'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::1'],
    ['::127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['8.8.8.8', '2001:4860:4860::8888', '::1'],
    ['not an address'],
  ];
  test.each(inside)('%s %s %s', async (...addresses) => {
    const { code, dialled } = await openWith(async () => addresses.filter((address) => typeof address === 'string'));
    expect(code).toBe('refused_address');
    expect(dialled).toEqual([]);
  });

  test('public addresses are connected to, and no other', async () => {
    const { text, dialled } = await openWith(async () => ['8.8.8.8', '2001:4860:4860::8888']);
    expect(text).toBe('hello');
    expect(dialled).toEqual([{ addresses: ['8.8.8.8', '2001:4860:4860::8888'], port: 80 }]);
  });

  test('a name that does not exist reads like one that leads inside', async () => {
    const missing = await openWith(async () => Promise.reject(new Error('queryA ENOTFOUND')));
    const empty = await openWith(async () => []);
    const inside = await openWith(async () => ['10.0.0.1']);
    expect([missing.code, empty.code, inside.code]).toEqual(['dns_failed', 'dns_failed', 'refused_address']);
    expect(new Set([missing.message, empty.message, inside.message]).size).toBe(1);
  });
});

// rule: media.7, threat.15
test('an answer that changes between check and connection changes nothing: the name is resolved once', async () => {
  const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
  let asked = 0;
  const { text, dialled } = await openWith(async () => answers[asked++] ?? []);
  expect(text).toBe('hello');
  expect(asked).toBe(1);
  expect(dialled).toEqual([{ addresses: ['8.8.8.8'], port: 80 }]);
});

test('a redirect to the same name is resolved and checked again', async () => {
  const server = await serveHttp((_request, response) => response.writeHead(302, { location: '/again' }).end());
  servers.push(server);
  const { dial, dialled } = createRoutedDial(server);
  const answers = [['8.8.8.8'], ['127.0.0.1']];
  const fetcher = createTestFetcher({ dial, resolve: async () => answers.shift() ?? [] });
  await expect(fetcher.open('http://site.example/', { maxBytes: 10 })).rejects.toMatchObject({
    code: 'refused_address',
  });
  expect(dialled).toEqual([{ addresses: ['8.8.8.8'], port: 80 }]);
});

test.each([
  ['http://Bücher.example/', 'xn--bcher-kva.example'],
  ['http://SITE.example./', 'site.example'],
  ['http://ｓｉｔｅ.example/', 'site.example'],
])('%s is asked for as %s', async (url, expected) => {
  const names: string[] = [];
  await openWith(async (name, { local }) => {
    names.push(`${name} ${local}`);
    return ['8.8.8.8'];
  }, url);
  expect(names).toEqual([`${expected} false`]);
});

test('an allowed name may lead inside and is asked of the machine itself', async () => {
  const server = await serveHttp((_request, response) => response.end('hello'));
  servers.push(server);
  const fetcher = createTestFetcher({ allow: [`localhost:${server.port}`], resolve: resolveHost });
  const answer = await fetcher.fetchBytes(`http://localhost:${server.port}/`, { maxBytes: 100 });
  expect(answer.bytes.toString()).toBe('hello');
});

test('the default resolver gives no addresses for a reserved name', async () => {
  const { signal } = new AbortController();
  await expect(resolveHost('missing.invalid', { local: false, signal })).rejects.toThrow();
});

test('the default resolver stops when the transfer does', async () => {
  await expect(resolveHost('site.example', { local: false, signal: AbortSignal.abort() })).rejects.toThrow();
});
