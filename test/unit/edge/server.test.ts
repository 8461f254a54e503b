import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createEdgeCounts } from '../../../services/edge/metrics.ts';
import { createEdgeServer } from '../../../services/edge/server.ts';

let server: Server;
const clients: Socket[] = [];
beforeEach(async () => {
  const respond = async () => ({ status: 200, head: ['Content-Length', '2'], body: Buffer.from('ok') });
  const log = { warn() {}, error() {} } as never;
  server = createEdgeServer({ respond, counts: createEdgeCounts(), log });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  server.close();
});

const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';

/** Opens a client that has sent `bytes` and keeps its side open. */
async function dial(bytes: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  clients.push(socket);
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
}

async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

async function untilNobodyIsLeft(): Promise<void> {
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, n) => resolve(n)));
  while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

const isServing = async () => (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).ok;

// rule: threat.7
test('a client that asks for a tunnel and is gone at once does no harm to the others', async () => {
  const gone = Array.from({ length: 20 }, async () => (await dial(tunnel)).resetAndDestroy());
  await Promise.all(gone);
  expect(await isServing()).toBe(true);
});

test('a tunnel is refused, and the connection does not stay when its client says no more', async () => {
  const client = await dial(tunnel);
  expect(await untilClosed(client)).toMatch(/^HTTP\/1\.1 405 /);
  await untilNobodyIsLeft();
});

// rule: threat.7
test('what is not HTTP is answered in the envelope, and its connection ends although the client does not end it', async () => {
  const client = await dial('NONSENSE\r\n\r\n');
  const text = await untilClosed(client);
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
    success: false,
    error: { code: 'bad_request', message: 'The request is not valid HTTP.' },
  });
  await untilNobodyIsLeft();
});

test('a head that is too large is 431 in the envelope', async () => {
  const text = await untilClosed(await dial(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`));
  expect(text).toMatch(/^HTTP\/1\.1 431 /);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ success: false });
});
