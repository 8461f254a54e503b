import type { RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { createTestFetcher, serveHttp, type TestServer } from './servers.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(handler: RequestListener) {
  const server = await serveHttp(handler);
  servers.push(server);
  return server;
}

const body = Buffer.from('{"ü":1}');
const options = { body, headers: { 'content-type': 'application/json', 'webhook-id': '7' }, totalTimeoutMs: 20_000 };

test('the bytes arrive with their headers, and the status comes back whatever it is', async () => {
  for (const status of [200, 204, 404, 410, 500]) {
    let received: unknown;
    const server = await serve(async (request, response) => {
      const { method, headers } = request;
      received = [method, headers['content-type'], headers['webhook-id'], (await buffer(request)).toString()];
      response.writeHead(status).end();
    });
    const answer = await createTestFetcher({ allow: [server.pair] }).post(`${server.url}/hook`, options);
    expect(answer).toEqual({ status });
    expect(received).toEqual(['POST', 'application/json', '7', '{"ü":1}']);
  }
});

test('a redirect is an answer, and is not followed', async () => {
  const target = await serve((_request, response) => response.end());
  const server = await serve((_request, response) => response.writeHead(307, { location: target.url }).end());
  const fetcher = createTestFetcher({ allow: [server.pair, target.pair] });
  expect(await fetcher.post(server.url, options)).toEqual({ status: 307 });
  expect(target.connections()).toBe(0);
});

test('an answer that never ends is not waited for', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': 9_999_999, 'content-encoding': 'br' }).write('x');
  });
  expect(await createTestFetcher({ allow: [server.pair] }).post(server.url, options)).toEqual({ status: 200 });
});

test('one that does not come is a timeout, and whoever asked can end it', async () => {
  const server = await serve(() => undefined);
  const fetcher = createTestFetcher({ allow: [server.pair] });
  await expect(fetcher.post(server.url, { ...options, totalTimeoutMs: 100 })).rejects.toMatchObject({
    code: 'timeout',
  });
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(fetcher.post(server.url, { ...options, signal })).rejects.toThrow('enough');
});

test.each([
  ['http://hooks.example/', 'insecure_scheme'],
  ['http://8.8.8.8/', 'insecure_scheme'],
  ['https://10.0.0.1/', 'refused_address'],
  ['https://hooks.example/', 'refused_address'],
  ['https://[::1]/', 'refused_address'],
  ['ftp://hooks.example/', 'refused_scheme'],
  ['https://hooks.example:22/', 'refused_port'],
])('%s is never connected: %s', async (url, code) => {
  const fetcher = createTestFetcher({
    resolve: async () => ['10.0.0.5'],
    dial: () => {
      throw new Error('connected');
    },
  });
  await expect(fetcher.post(url, options)).rejects.toMatchObject({ code });
});
