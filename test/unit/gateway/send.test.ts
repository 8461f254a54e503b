import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LargeText } from '../../../services/core/large-list.ts';
import { ok, type Reply, raw } from '../../../services/core/reply.ts';
import type { Context } from '../../../services/gateway/context.ts';
import { send } from '../../../services/gateway/send.ts';

const logged: unknown[] = [];
const app = { log: { error: (entry: unknown) => logged.push(entry) } };
const lost = new LargeText({
  hash: 'a',
  encoding: 'utf8',
  open: () => Promise.reject(new Error('Nothing is stored under a.')),
});
const replies: Record<string, () => Reply> = {
  '/broken': () => raw(200, 'ok', { 'X-Name': 'a\r\nb' }),
  '/lost': () => ok({ id: '1', body: lost }),
};
let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer((req, res) => {
    const ctx = { app, req, res, method: req.method, replyHeaders: {} } as unknown as Context;
    void send(ctx, (replies[req.url!] ?? (() => raw(200, 'ok', {})))());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a reply that cannot be written ends its own connection alone, and the log says why', async () => {
  await expect(fetch(`${origin}/broken`)).rejects.toThrow();
  expect(logged[0]).toMatchObject({ err: { code: 'ERR_INVALID_CHAR' }, status: 200 });
  expect(await (await fetch(`${origin}/`)).text()).toBe('ok');
});

test('a record whose body is not found is 500, without a word of the inside', async () => {
  const reply = await fetch(`${origin}/lost`);
  expect([reply.status, (await reply.json()) as object]).toEqual([
    500,
    { success: false, error: { code: 'internal_error', message: expect.not.stringContaining('stored') } },
  ]);
});
