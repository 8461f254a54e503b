import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Db } from '../../../services/core/db.ts';
import { createPush, maxPushBytes, signatureHeader, swapPushPath } from '../../../services/core/swap-push.ts';
import { findReachableHost, startPushServer } from '../../../services/edge/push-server.ts';
import { createEdgeNotifier } from '../../../services/engines/edges/notifier.ts';

const secretKeys = [randomBytes(32)];
const siteId = randomUUID();
/** Longer than any test takes: what resolves before did not wait for a silent edge. */
const neverMs = 600_000;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts the push server of an edge; returns its row of the registry and the sites it was told of. */
async function startEdge(id = randomUUID()) {
  const told: string[] = [];
  const server = await startPushServer({
    edgeId: id,
    secretKeys,
    host: '127.0.0.1',
    port: 0,
    reachableHost: undefined,
    onSwap: (site) => told.push(site),
  });
  ends.push(server.close);
  return { row: { id, url: server.url }, told };
}

/** Starts a server that replies to every push with these headers and status 204. */
async function startImpostor(headers: Record<string, string>) {
  const server = createServer((_, response) => void response.writeHead(204, headers).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return { id: randomUUID(), url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function createNotifier(rows: { id: string; url: string }[], silentMs = neverMs) {
  const warnings: unknown[] = [];
  const db = { query: async () => rows } as unknown as Db;
  const log = { warn: (about: unknown) => void warnings.push(about) };
  return { notifier: createEdgeNotifier({ db, secretKeys, log: log as never, silentMs }), warnings };
}

describe('a swap', () => {
  test('is told to every registered edge, and ends the wait when all have confirmed', async () => {
    const edges = [await startEdge(), await startEdge(), await startEdge()];
    const { notifier, warnings } = createNotifier(edges.map(({ row }) => row));
    await notifier.siteSwapped(siteId);
    expect(edges.map(({ told }) => told)).toEqual([[siteId], [siteId], [siteId]]);
    expect(warnings).toEqual([]);
  });

  test('waits until a dead edge can no longer serve what it had read, and says which one it was', async () => {
    const [alive, dead] = [await startEdge(), await startEdge()];
    await ends.pop()!();
    const silentMs = 3000; // time for the living edge to confirm, on however slow a machine
    const { notifier, warnings } = createNotifier([alive.row, dead.row], silentMs);
    const startedAt = performance.now();
    await notifier.siteSwapped(siteId);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(silentMs - 5);
    expect(alive.told).toEqual([siteId]);
    expect(warnings).toMatchObject([{ edge: dead.row.url }]);
  });

  test('waits as long when no edge is registered or the registry cannot be read', async () => {
    const silentMs = 200;
    const failing = { query: () => Promise.reject(new Error('down')) } as unknown as Db;
    const warnings: unknown[] = [];
    const log = { warn: (about: unknown) => void warnings.push(about) };
    for (const notifier of [
      createNotifier([], silentMs).notifier,
      createEdgeNotifier({ db: failing, secretKeys, log: log as never, silentMs }),
    ]) {
      const startedAt = performance.now();
      await notifier.siteSwapped(siteId);
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(silentMs - 5);
    }
    expect(warnings).toHaveLength(1);
  });

  test.each([
    ['does not know the secret key', {}],
    ['sends back a confirmation of its own', { 'x-fieldstone-confirmation': 'f'.repeat(64) }],
  ])('is not confirmed by a server that %s', async (_, headers) => {
    const { notifier, warnings } = createNotifier([await startImpostor(headers)], 200);
    await notifier.siteSwapped(siteId);
    expect(warnings).toHaveLength(1);
  });

  test('is not confirmed by another edge on the port of an earlier one', async () => {
    const { row, told } = await startEdge();
    const { notifier, warnings } = createNotifier([{ ...row, id: randomUUID() }], 200);
    await notifier.siteSwapped(siteId);
    expect(told).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});

describe('the push port', () => {
  test.each([
    ['without a signature', 403, (body: string) => ({ body, signature: '' })],
    ['with a signature under another key', 403, () => createPush([randomBytes(32)], { edgeId: 'x', siteId })],
    ['that is too long', 403, () => ({ body: 'x'.repeat(maxPushBytes + 1), signature: '' })],
  ])('refuses a push %s', async (_, status, make) => {
    const { row, told } = await startEdge();
    const { body, signature } = make(createPush(secretKeys, { edgeId: row.id, siteId }).body);
    const headers = { [signatureHeader]: signature };
    const reply = await fetch(row.url + swapPushPath, { method: 'POST', body, headers });
    expect(reply.status).toBe(status);
    expect(told).toEqual([]);
  });

  test('has nothing but pushes', async () => {
    const { row } = await startEdge();
    expect((await fetch(row.url + swapPushPath)).status).toBe(404);
    expect((await fetch(`${row.url}/`, { method: 'POST' })).status).toBe(404);
  });
});

describe('the host that an edge registers', () => {
  const at = (address: string, family: 'IPv4' | 'IPv6', more: object = {}) =>
    ({ address, family, internal: false, netmask: '', mac: '', cidr: null, scopeid: 0, ...more }) as never;
  const loopback = at('127.0.0.1', 'IPv4', { internal: true });

  test.each([
    ['the host it listens on', '10.0.0.7', [loopback], '10.0.0.7'],
    ['otherwise the first IPv4 address of an interface', '0.0.0.0', [loopback, at('10.1.2.3', 'IPv4')], '10.1.2.3'],
    [
      'otherwise an IPv6 address that is not link-local',
      '::',
      [at('fe80::1', 'IPv6', { scopeid: 2 }), at('fd00::5', 'IPv6')],
      'fd00::5',
    ],
    ['otherwise loopback', '0.0.0.0', [loopback], '127.0.0.1'],
  ])('is %s', (_, host, all, expected) => {
    expect(findReachableHost(host, { eth0: all })).toBe(expected);
  });
});
