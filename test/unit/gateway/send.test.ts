import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { raw } from '../../../services/core/reply.ts';
import type { Context } from '../../../services/gateway/context.ts';
import { send } from '../../../services/gateway/send.ts';

const logged: unknown[] = [];
const app = { log: { error: (entry: unknown) => logged.push(entry) } };
let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer((req, res) => {
    const ctx = { app, req, res, method: req.method, replyHeaders: {} } as unknown as Context;
    const headers = { 'X-Name': req.url === '/broken' ? 'a\r\nb' : 'a' };
    void send(ctx, raw(200, 'ok', headers));
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
