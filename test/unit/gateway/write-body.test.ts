import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createByteBudget } from '../../../services/core/byte-budget.ts';
import { batchBytes } from '../../../services/core/large-list.ts';
import { Reply } from '../../../services/core/reply.ts';
import type { Context } from '../../../services/gateway/context.ts';
import { send } from '../../../services/gateway/send.ts';
import { ConnectionEnded, writeLarge, writeWholeList } from '../../../services/gateway/write-body.ts';

let server: Server;
let port = 0;
let respond: (res: ServerResponse) => void = () => undefined;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((_req, res) => respond(res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Opens a client that sends a request and reads nothing until told to. */
function askSlowly(version = '1.1'): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(`GET / HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  sockets.push(socket);
  return socket;
}

const record = { text: 'x'.repeat(batchBytes) };
const pagination = { total: 400, page: 1, per_page: 400, total_pages: 1 };
/** 100 MB of records in batches of one; calls `onRead` for each. */
const largeList = (onRead: (index: number) => void) => ({
  items: [],
  rest: Array.from({ length: 400 }, (_, index) => ({
    bytes: batchBytes,
    read: async () => {
      onRead(index);
      return [{ index, ...record }];
    },
  })),
  pagination,
  fields: undefined,
});
const budgetOf = (totalBytes: number) => createByteBudget({ totalBytes, ownerBytes: totalBytes });

test('of a list no more is read than its client takes', async () => {
  let read = 0;
  const budget = budgetOf(10 * batchBytes);
  const ended = Promise.withResolvers<void>();
  respond = (res) => {
    res.writeHead(200);
    writeLarge(
      res,
      largeList(() => read++),
      budget.open('x'),
    ).then(ended.resolve, ended.reject);
  };
  const socket = askSlowly();
  await sleep(500);
  const before = read;
  expect(before).toBeLessThan(100); // the capacity of the system's buffers
  await sleep(300);
  expect([read, budget.state().heldBytes]).toEqual([before, batchBytes]);
  let received = 0;
  socket.on('data', (data) => {
    received += data.length;
  });
  socket.resume();
  await Promise.all([ended.promise, once(socket, 'close')]);
  expect(read).toBe(400);
  expect(received).toBeGreaterThan(400 * batchBytes);
}, 60_000);

// rule: threat.18
test('any number of slow clients hold no more than the budget, and all are served in the end', async () => {
  const budget = budgetOf(4 * batchBytes);
  let held = 0;
  const writes: Promise<void>[] = [];
  respond = (res) => {
    res.writeHead(200);
    const memory = budget.open('x');
    const onRead = () => {
      held = Math.max(held, budget.state().heldBytes);
    };
    writes.push(
      writeLarge(res, { ...largeList(onRead), rest: largeList(onRead).rest.slice(0, 20) }, memory).finally(
        memory.release,
      ),
    );
  };
  const clients = Array.from({ length: 30 }, () => askSlowly());
  await sleep(500);
  for (const client of clients) client.resume();
  await Promise.all(clients.map((client) => once(client, 'close')));
  await Promise.all(writes);
  expect(writes).toHaveLength(30);
  expect(held).toBeLessThanOrEqual(4 * batchBytes);
  expect(budget.state()).toEqual({ heldBytes: 0, waiting: 0 });
}, 120_000);

// rule: threat.18
test('a client that takes nothing loses its connection, and another gets its memory', async () => {
  const budget = budgetOf(batchBytes);
  const failed = Promise.withResolvers<unknown>();
  let first = true;
  respond = (res) => {
    res.writeHead(200);
    const memory = budget.open('x');
    const list = { ...largeList(() => undefined), rest: largeList(() => undefined).rest.slice(0, first ? 400 : 3) };
    first = false;
    writeLarge(res, list, memory, 200).catch(failed.resolve).finally(memory.release);
  };
  askSlowly();
  await sleep(100);
  const second = askSlowly();
  second.resume();
  expect(await failed.promise).toBeInstanceOf(ConnectionEnded);
  await once(second, 'close');
  expect(budget.state()).toEqual({ heldBytes: 0, waiting: 0 });
}, 60_000);

test('a client that is gone ends the work', async () => {
  const failed = Promise.withResolvers<unknown>();
  respond = (res) => {
    res.writeHead(200);
    writeLarge(
      res,
      largeList(() => undefined),
      budgetOf(batchBytes).open('x'),
    ).catch(failed.resolve);
  };
  const socket = askSlowly();
  await sleep(200);
  socket.destroy();
  expect(await failed.promise).toBeInstanceOf(ConnectionEnded);
});

test('a list that was read as a whole gives up its memory as its client takes it', async () => {
  const bytes = Buffer.alloc(20_000_000, 'x');
  const budget = budgetOf(bytes.length);
  const ended = Promise.withResolvers<void>();
  respond = (res) => {
    res.writeHead(200, { 'Content-Length': bytes.length });
    const memory = budget.open('x');
    memory
      .hold(bytes.length)
      .then(() => writeWholeList(res, bytes, memory))
      .then(ended.resolve, ended.reject);
  };
  const socket = askSlowly();
  await sleep(300);
  const { heldBytes } = budget.state();
  expect([heldBytes > 0, heldBytes < bytes.length]).toEqual([true, true]);
  socket.resume();
  await Promise.all([ended.promise, once(socket, 'close')]);
  expect(budget.state().heldBytes).toBeLessThanOrEqual(64 * 1024);
});

test.each(['1.1', '1.0'])(
  'a part that cannot be read resets the connection (HTTP/%s), and its memory is free',
  async (version) => {
    const logged: object[] = [];
    const budget = budgetOf(10 * batchBytes);
    respond = (res) => {
      const rest = largeList(() => undefined).rest.slice(0, 3);
      rest.push({ bytes: 1, read: () => Promise.reject(new Error('The object is not there.')) });
      const reply = new Reply(200, { kind: 'list', items: [{ id: '1' }], rest, pagination });
      const memory = budget.open('x');
      const app = { log: { error: (entry: object) => logged.push(entry), debug: () => undefined } };
      const req = { complete: true, headers: {}, method: 'GET' };
      const ctx = { app, req, res, method: 'GET', replyHeaders: {}, memory } as unknown as Context;
      void send(ctx, reply);
    };
    const socket = askSlowly(version);
    socket.resume();
    const [error] = await once(socket, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(logged).toEqual([expect.objectContaining({ err: expect.any(Error) })]);
    expect(budget.state()).toEqual({ heldBytes: 0, waiting: 0 });
  },
);
