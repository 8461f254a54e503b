import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { requestStore } from '../../../services/engines/objects/s3/ask.ts';

let refuses = true;
let store: Server;
beforeAll(async () => {
  store = createServer((_request, response) => {
    if (refuses) response.writeHead(503).end('<Error><Code>ServerNotInitialized</Code></Error>');
    else response.end('bytes');
  });
  store.keepAliveTimeout = 0; // keeps idle connections open
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  store.closeAllConnections();
  store.close();
});

// rule: threat.7
test('a store that refuses more requests than there are connections is used again as soon as it answers', async () => {
  const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
  const keys = { accessKey: 'a', secretKey: 's', region: 'r', ca: undefined };
  const bucket = openKeyedStore({ engine: 's3', endpoint, bucket: 'b-1', ...keys });
  for (let n = 0; n < 70; n++) await expect(bucket.get('key')).rejects.toMatchObject({ code: 'unavailable' });
  refuses = false;
  expect(String(await bucket.get('key'))).toBe('bytes');
});

test('a stream that comes when nobody waits for it any more is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<Readable>();
  await expect(requestStore('get', () => promise, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  const late = Readable.from(['bytes']);
  resolve(late);
  await new Promise((done) => late.once('close', done));
  expect(late.destroyed).toBe(true);
});

test('who is told to wait no longer learns it', async () => {
  let told: AbortSignal | undefined;
  const ask = (signal: AbortSignal) => {
    told = signal;
    return new Promise<never>(() => undefined);
  };
  await expect(requestStore('read', ask, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'unavailable' });
  expect(told?.aborted).toBe(true);
});
