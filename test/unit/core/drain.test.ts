import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { watchConnections } from '../../../services/core/drain.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Starts a server that responds to `/now` at once, and to others when the test calls `finish(path)`. */
async function startServer() {
  const waiting = new Map<string, () => void>();
  const arrivals = new Map<string, () => void>();
  const handle: RequestListener = (request, response) => {
    const path = request.url!;
    if (path === '/now') return void response.end(`body of ${path}`);
    waiting.set(path, () => response.end(`body of ${path}`));
    arrivals.get(path)?.();
  };
  const server = createServer(handle);
  const connections = watchConnections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    ...connections,
    finish: (path: string) => waiting.get(path)!(),
    arrived: (path: string) =>
      waiting.has(path) ? undefined : new Promise<void>((resolve) => arrivals.set(path, resolve)),
  };
}

const ask = (...paths: string[]) => paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');

/** Opens a connection and collects what it receives. */
async function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => (text += chunk));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const ended = once(socket, 'close');
  return {
    send: (bytes: string) => socket.write(bytes),
    async receive(part: string): Promise<void> {
      while (!text.includes(part)) await once(socket, 'data');
    },
    text: () => text,
    ended,
  };
}

const settings = { listenMs: 0, finishMs: 30_000 };

test('a request under way is finished, and its reply says that the connection ends', async () => {
  const server = await startServer();
  const client = await openConnection(server.port);
  client.send(ask('/slow'));
  await server.arrived('/slow');
  const drained = server.drain(settings);
  server.finish('/slow');
  await drained;
  await client.ended;
  expect(client.text()).toContain('body of /slow');
  expect(client.text()).toMatch(/Connection: close/i);
});

test('a connection that rests may be used once more, and is told to end', async () => {
  const server = await startServer();
  const client = await openConnection(server.port);
  client.send(ask('/now'));
  await client.receive('body of /now');
  expect(client.text()).not.toMatch(/Connection: close/i);
  const drained = server.drain(settings);
  client.send(ask('/late'));
  await server.arrived('/late');
  server.finish('/late');
  await drained;
  await client.ended;
  expect(client.text()).toContain('body of /late');
  expect(client.text()).toMatch(/Connection: close/i);
});

test('requests sent behind each other on one connection are all answered; only the last reply ends it', async () => {
  const server = await startServer();
  const client = await openConnection(server.port);
  client.send(ask('/first', '/second'));
  await server.arrived('/second');
  const drained = server.drain(settings);
  server.finish('/first');
  server.finish('/second');
  await drained;
  await client.ended;
  const [first, second] = client.text().split(/(?<=body of \/first)/);
  expect(first).not.toMatch(/Connection: close/i);
  expect(second).toMatch(/Connection: close/i);
  expect(second).toContain('body of /second');
});

test('new connections are taken while balancers learn of it, and refused afterwards', async () => {
  const server = await startServer();
  const blocker = await openConnection(server.port);
  blocker.send(ask('/slow'));
  await server.arrived('/slow');
  const drained = server.drain({ ...settings, listenMs: 1500 });
  expect(server.isDraining()).toBe(true);
  const client = await openConnection(server.port);
  client.send(ask('/now'));
  await client.receive('body of /now');
  expect(client.text()).toMatch(/Connection: close/i);
  server.finish('/slow');
  await drained;
  await expect(once(connect(server.port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('what does not end in its time is cut', async () => {
  const server = await startServer();
  const client = await openConnection(server.port);
  client.send(ask('/never'));
  await server.arrived('/never');
  await server.drain({ listenMs: 0, finishMs: 100 });
  await client.ended;
  expect(client.text()).toBe('');
});
