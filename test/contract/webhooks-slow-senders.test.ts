import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signBody } from '../../services/features/inbound/signature.ts';
import { closeStack, eventually, makeSite, readMetrics, type TestSite } from '../harness/api.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { makeIntegration, send, type TestIntegration } from '../harness/webhooks.ts';

const mebibyte = 1024 * 1024;
const fourMebibytes = 4 * mebibyte;
const payload = { title: 'T', body_html: '' };
let site: TestSite;
let gateway: TestRole;
let attacked: TestIntegration;
let sockets: Socket[] = [];

beforeAll(async () => {
  site = await makeSite();
  gateway = await startRole('gateway', { FIELDSTONE_BODY_MEMORY_MB: '32', FIELDSTONE_BODY_TIMEOUT_MS: '60000' });
  attacked = await makeIntegration(site, 'create_post');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.kill('SIGTERM');
  await closeStack();
});

interface Opened {
  socket: Socket;
  /** Returns the response so far. */
  reply: () => string;
}

/** Sends a head and the beginning of a body, and nothing more. */
function begin(integration: TestIntegration, headers: Record<string, string>, body = Buffer.alloc(0)): Opened {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let reply = '';
  socket.on('data', (chunk) => {
    reply += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const all = { Host: 'x', 'X-Delivery-Id': randomUUID(), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /webhooks/${integration.slug} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(body);
  return { socket, reply: () => reply };
}

const announced = (bytes = fourMebibytes) => ({ 'Content-Length': String(bytes) });
const signed = (secret = 'wrong', nowMs = Date.now()) => ({
  'X-Service-Signature': signBody(secret, Buffer.alloc(0), nowMs),
});
const statusOf = (opened: Opened) =>
  eventually('a reply comes', async () => Number(/^HTTP\/1\.1 (\d+)/.exec(opened.reply())?.[1] ?? 0));

async function residentMiB(): Promise<number> {
  const text = await readMetrics(gateway.ops);
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / mebibyte;
}

// rule: threat.8
test.each<[string, number, Record<string, string>]>([
  ['without a signature', 401, announced()],
  ['with a malformed signature', 401, { ...announced(), 'X-Service-Signature': 'v1=1' }],
  ['with a signature of another time', 401, { ...announced(), ...signed('x', Date.now() - 400_000) }],
  ['that is too large', 413, announced(fourMebibytes + 1)],
])('a delivery %s is %d before its body has come', async (_name, status, headers) => {
  expect(await statusOf(begin(attacked, headers, Buffer.from('{')))).toBe(status);
});

test('a body of unknown length without a signature is 413 when it is too large, else 401 at its end', async () => {
  const chunk = (bytes: number) =>
    Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes), Buffer.from('\r\n')]);
  const large = begin(attacked, { 'Transfer-Encoding': 'chunked' }, chunk(fourMebibytes + 1));
  expect(await statusOf(large)).toBe(413);
  const small = begin(attacked, { 'Transfer-Encoding': 'chunked' }, chunk(10));
  await sleep(200);
  expect(small.reply()).toBe('');
  small.socket.write('0\r\n\r\n');
  expect(await statusOf(small)).toBe(401);
});

// rule: threat.8
test('160 slow senders with wrong signatures hold no more than the budget, and keep nobody out', async () => {
  const other = await makeIntegration(site, 'create_post');
  const before = await residentMiB();
  const slow = Array.from({ length: 160 }, () =>
    begin(attacked, { ...announced(), ...signed() }, Buffer.alloc(fourMebibytes - 1000)),
  );
  await eventually('what is beyond the budget is refused', async () => {
    const refused = slow.filter(({ reply }) => reply().startsWith('HTTP/1.1 503'));
    return refused.length >= 155;
  });
  expect(slow.find(({ reply }) => reply() !== '')!.reply()).toMatch(/\r\nRetry-After: \d+\r\n/i);
  // of the 640 MiB sent: the budget, and freed memory that is not collected yet
  expect((await residentMiB()) - before).toBeLessThan(256);
  const origin = gateway.url;
  expect((await send(other, payload, { origin })).status).toBe(202);
  await sleep(2_500); // the time limit of the others has passed
  const large = { ...payload, body_html: 'x'.repeat(fourMebibytes - 1000) };
  expect((await send(other, large, { origin })).status).toBe(202);
  expect((await send(attacked, large, { origin })).status).toBe(202);
  for (const { socket } of slow) socket.destroy();
});

test('slow bodies with an id that is none are judged, and not held', async () => {
  sockets = sockets.filter((socket) => !socket.destroyed);
  const nameless = { ...announced(100), 'X-Delivery-Id': 'a b' };
  const body = Buffer.alloc(100, 0x20);
  const wrong = begin(attacked, { ...nameless, ...signed() }, body);
  const right = begin(attacked, { ...nameless, 'X-Service-Signature': signBody(attacked.secret, body) }, body);
  expect([await statusOf(wrong), await statusOf(right)]).toEqual([401, 400]);
});
