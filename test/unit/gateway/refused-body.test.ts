import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Problem } from '../../../services/core/errors.ts';
import { drainUnreadBody, endUnread } from '../../../services/gateway/send.ts';
import { readBytes } from '../../../services/gateway/stages/read-bytes.ts';

let server: Server;
beforeAll(async () => {
  server = createServer().on('request', answer).on('checkContinue', answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

function answer(req: IncomingMessage, res: ServerResponse): void {
  const app = { config: { bodyTimeoutMs: 30_000 } } as never;
  readBytes({ req, res, app }, 1000).then(
    (bytes) => res.end(String(bytes.length)),
    async (error: Problem) => {
      await drainUnreadBody(req, res);
      res.writeHead(error.status).end(error.code);
    },
  );
}

/** Sends a request in three pieces, and returns the response and the number of pieces sent by then. */
function send(head: string, body: Buffer): Promise<{ reply: string; sent: number }> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const pieces = [0, 1, 2].map((n) => body.subarray((n * body.length) / 3, ((n + 1) * body.length) / 3));
    let sent = 0;
    let sentBefore: number | null = null;
    let reply = '';
    socket.on('data', (chunk) => {
      sentBefore ??= sent;
      reply += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ reply, sent: sentBefore ?? 0 }));
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n\r\n`);
    const sendNext = () => {
      const piece = pieces[sent];
      if (!piece) return;
      sent++;
      socket.write(piece, () => setTimeout(sendNext, 20));
    };
    sendNext();
  });
}

const large = Buffer.alloc(3 * 1024 * 1024, 0x20);
const chunked = Buffer.concat([Buffer.from(`${large.length.toString(16)}\r\n`), large, Buffer.from('\r\n0\r\n\r\n')]);

test.each([
  ['that says its length', `Content-Length: ${large.length}`, large],
  ['in chunks', 'Transfer-Encoding: chunked', chunked],
])('a body %s that is too large is let go before the connection ends with the reply', async (_how, head, body) => {
  const { reply, sent } = await send(head, body);
  expect(sent).toBe(3);
  expect(reply).toMatch(/^HTTP\/1\.1 413 [\s\S]*too_large/);
});

test('who waits for leave to send is told at once', async () => {
  const { reply } = await send(`Content-Length: ${large.length}\r\nExpect: 100-continue`, Buffer.alloc(0));
  expect(reply).toMatch(/^HTTP\/1\.1 413 /);
});

// rule: threat.7
test.each([
  ['Content-Length: 1000000000\r\n\r\n', 'x'],
  ['Transfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
])('a body that trickles in after its reply does not hold the connection: %j', async (head, piece) => {
  const unread = createServer((req, res) => {
    endUnread(req, res, 100);
    res.end('told');
  });
  await new Promise<void>((resolve) => unread.listen(0, '127.0.0.1', resolve));
  const socket = connect((unread.address() as AddressInfo).port, '127.0.0.1');
  let reply = '';
  const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
  socket.on('data', (chunk) => {
    reply += chunk;
  });
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head}`);
  const trickle = setInterval(() => socket.writable && socket.write(piece), 20);
  await closed;
  clearInterval(trickle);
  expect(reply).toMatch(/^HTTP\/1.1 200 OK[\s\S]*told/);
  unread.close();
});

test('a body that is read, or ends after its reply, leaves the connection to the next request', async () => {
  const both = createServer((req, res) => {
    endUnread(req, res, 2_000);
    res.end('told');
  });
  await new Promise<void>((resolve) => both.listen(0, '127.0.0.1', resolve));
  const socket = connect((both.address() as AddressInfo).port, '127.0.0.1');
  let reply = '';
  socket.on('data', (chunk) => {
    reply += chunk;
  });
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na');
  await once(socket, 'data');
  socket.write('b');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  expect(reply.match(/told/g)).toHaveLength(2);
  both.close();
});
