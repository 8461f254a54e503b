import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { callApi } from '../../../services/cli/demo/api.ts';

let close: () => void = () => {};
afterEach(() => close());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => server.close().closeAllConnections();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failure = (message: string) => JSON.stringify({ success: false, error: { message } });

describe('a request of the demo seed', () => {
  test('waits as long as Retry-After says and is sent again with the same idempotency key', async () => {
    const keys: unknown[] = [];
    const apiUrl = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) response.writeHead(429, { 'Retry-After': '0' }).end(failure('Too many requests.'));
      else response.writeHead(201).end(JSON.stringify({ success: true, data: { id: 'a' } }));
    });
    const reply = await callApi(
      { apiUrl, key: 'k' },
      { method: 'POST', path: '/sites', body: {}, idempotencyKey: 'one' },
    );
    expect(reply).toEqual({ status: 201, data: { id: 'a' } });
    expect(keys).toEqual(['one', 'one']);
  });

  test('takes a conflict without Retry-After as final, and answers it when the caller expects it', async () => {
    let requests = 0;
    const apiUrl = await serve((_request, response) => {
      requests++;
      response.writeHead(409).end(failure('The slug is taken.'));
    });
    const access = { apiUrl, key: 'k' };
    expect(await callApi(access, { method: 'POST', path: '/sites' }, [409])).toEqual({ status: 409, data: null });
    await expect(callApi(access, { method: 'POST', path: '/sites' })).rejects.toThrow(
      'POST /sites responded with 409: The slug is taken.',
    );
    expect(requests).toBe(2);
  });

  test('ends with the API’s own message', async () => {
    const apiUrl = await serve((_request, response) => response.writeHead(422).end(failure('name must not be empty')));
    await expect(callApi({ apiUrl, key: 'k' }, { method: 'POST', path: '/sites' })).rejects.toThrow(
      'name must not be empty',
    );
  });
});
