import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { revokeKey } from '../../services/features/keys/service.ts';
import {
  closeStack,
  eventually,
  makeKey,
  makeSite,
  publish,
  stackDatabase,
  type TestSite,
  waitForJob,
} from '../harness/api.ts';
import { type Balancer, hasCaddy, startCaddy } from '../harness/caddy.ts';
import { freshAddress, type Ledger, startLoad } from '../harness/load.ts';
import { testWith } from '../harness/programs.ts';
import { type ReplicaSet, startReplicas } from '../harness/replicas.ts';
import '../harness/retry.ts';
import { makeIntegration, send, type TestIntegration } from '../harness/webhooks.ts';

// `npm run test:replicas` is the long form: more clients, and every replica restarted and killed several times
const long = process.env.FIELDSTONE_TEST_LONG === 'true';
const rounds = long ? 4 : 1;
const clients = long ? 8 : 4;
/** Three processes start twelve times under load, which takes long, especially on a busy machine. */
const restartsMs = long ? 3_600_000 : 900_000;

const test = testWith('Caddy, and Linux for its many loopback addresses', hasCaddy() && process.platform === 'linux');

/** The specified limits, and balancers that learn from /readyz that a process is ending. */
const env = {
  FIELDSTONE_RATE_LIMIT_IP: '60',
  FIELDSTONE_RATE_LIMIT_KEY: '120',
  FIELDSTONE_TRUSTED_PROXIES: '127.0.0.0/8',
  FIELDSTONE_DRAIN_LISTEN_MS: '1500',
};

let sets: Record<'gateways' | 'workers' | 'edges', ReplicaSet>;
let balancer: Balancer;
let api: string;
let edge: string;
let site: TestSite;
let integration: TestIntegration;
const livePaths = ['/'];

async function goLive(title: string): Promise<void> {
  const { status, data } = await site.request('POST', '/content', { title, status: 'published' });
  expect(status).toBe(201);
  await publish(site);
  livePaths.push(`/posts/${data.slug}/`);
}

describe('three gateways, three workers and two edges behind a proxy', () => {
  beforeAll(async () => {
    const [gateways, workers, edges] = await Promise.all([
      startReplicas('gateway', 3, env),
      startReplicas('worker', 3),
      startReplicas('edge', 2, env),
    ]);
    sets = { gateways, workers, edges };
    balancer = await startCaddy([gateways, edges]);
    [api, edge] = balancer.origins as [string, string];
    site = await makeSite();
    integration = await makeIntegration(site, 'create_post');
    await goLive('First');
  }, 180_000);
  afterAll(async () => {
    await balancer?.[Symbol.asyncDispose]();
    await Promise.all(Object.values(sets ?? {}).map((set) => set.stop()));
    await closeStack();
  }, 60_000);

  const ask = (path: string, key: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    fetch(`${api}/api/v1${path}`, { ...init, headers: { 'X-API-Key': key, ...init.headers } });
  const many = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  const countByStatus = (replies: Response[]) =>
    Object.fromEntries(Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([k, v]) => [k, v!.length]));
  /** The limits of a key or an IP address must not be reached before the one under test. */
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  test('one request sent to all of them with one idempotency key makes one item', async () => {
    const key = await makeKey();
    const title = `Once for all ${randomUUID()}`;
    const headers = { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json', ...from(freshAddress()) };
    const body = JSON.stringify({ title });
    const replies = await many(12, () => ask(`/sites/${site.slug}/content`, key, { method: 'POST', headers, body }));
    expect(replies.map(({ status }) => status).filter((status) => status !== 409)).toContain(201);
    expect(replies.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const rows = await stackDatabase().query('SELECT id FROM content WHERE site_id = $1 AND title = $2', [
      site.id,
      title,
    ]);
    expect(rows).toHaveLength(1);
  });

  // rule: threat.5
  test('60 a minute of one address, 120 of one key, counted together', async () => {
    const keys = await many(3, () => makeKey());
    const address = from(freshAddress());
    const ofAddress = await many(70, (index) => ask('/sites', keys[index % 3]!, { headers: address }));
    expect(countByStatus(ofAddress)).toEqual({ 200: 60, 429: 10 });
    const key = await makeKey();
    const addresses = await many(10, async () => from(freshAddress()));
    const ofKey = await many(130, (index) => ask('/sites', key, { headers: addresses[index % 10]! }));
    expect(countByStatus(ofKey)).toEqual({ 200: 120, 429: 10 });
  });

  // rule: threat.2
  test('a revoked key is refused by every one at once', async () => {
    const key = await makeKey();
    const askAll = () =>
      Promise.all(
        sets.gateways.replicas.map(({ url }) =>
          fetch(`${url}/api/v1/sites`, { headers: { 'X-API-Key': key, ...from(freshAddress()) } }).then(
            ({ status }) => status,
          ),
        ),
      );
    expect(await askAll()).toEqual([200, 200, 200]);
    await revokeKey(stackDatabase(), key.slice(3, 11));
    expect(await askAll()).toEqual([401, 401, 401]);
  });

  test('one delivery id sent to all of them is accepted once', async () => {
    const deliveryId = randomUUID();
    const payload = { title: 'Delivered once', body_html: '<p>Once.</p>' };
    const sent = await many(9, (index) =>
      send(integration, payload, { deliveryId, origin: sets.gateways.replicas[index % 3]!.url }),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 202]);
  });

  test('a burst of shell edits through all of them is built together', async () => {
    const key = await makeKey();
    const written = await many(12, async (index) => {
      const path = `/sites/${site.slug}/shell/file/css/burst-${index}.css`;
      const reply = await ask(path, key, {
        method: 'PUT',
        body: `b{top:${Math.random()}px}`,
        headers: from(freshAddress()),
      });
      return ((await reply.json()) as { data: { job: string } }).data.job;
    });
    const jobs = [...new Set(written)];
    expect(jobs.length).toBeLessThan(written.length / 2);
    for (const job of jobs) expect((await waitForJob(site.key, job)).status).toBe('succeeded');
  });

  /** Expects that everything promised exists once. */
  async function settle(ledger: Ledger): Promise<void> {
    const db = stackDatabase();
    const outcomes = await eventually(
      'every accepted delivery has ended',
      async () => {
        const rows = await db.query<{ delivery_id: string; status: string; finished_at: Date | null }>(
          'SELECT delivery_id, status, finished_at FROM deliveries WHERE integration_id = $1',
          [integration.id],
        );
        return rows.every(({ finished_at }) => finished_at) && rows;
      },
      180_000,
    );
    const items = await db.query<{ id: string; title: string }>('SELECT id, title FROM content WHERE site_id = $1', [
      site.id,
    ]);
    const byTitle = Map.groupBy(items, ({ title }) => title);
    for (const [title, id] of [...ledger.plain, ...ledger.careful])
      expect(byTitle.get(title)?.map((item) => item.id)).toEqual([id]);
    for (const [title, found] of byTitle) expect([title, found.length]).toEqual([title, 1]);
    const succeeded = outcomes.filter(({ status }) => status === 'succeeded').map(({ delivery_id }) => delivery_id);
    expect([...ledger.deliveries].filter((id) => !succeeded.includes(id))).toEqual([]);
    expect(new Set(succeeded).size).toBe(outcomes.length);
    for (const id of ledger.deliveries) expect(byTitle.has(`Delivered ${id}`)).toBe(true);
  }

  async function restart(signal: 'SIGTERM' | 'SIGKILL', index: number): Promise<(number | string)[]> {
    const chosen = Object.values(sets).map(({ replicas }) => replicas[index % replicas.length]!);
    return Promise.all(
      chosen.map(async (replica) => {
        const ending = await replica.end(signal);
        await replica.start();
        return ending;
      }),
    );
  }

  test(
    'every role restarted one by one under load: no request is lost',
    async () => {
      const load = await startLoad({ api, edge, site, integration, livePaths, clients });
      try {
        for (let index = 0; index < 3 * rounds; index++) {
          const [endings] = await Promise.all([
            restart('SIGTERM', index),
            goLive(`Live during restart ${randomUUID()}`),
          ]);
          expect(endings).toEqual([0, 0, 0]);
        }
      } finally {
        await load.stop();
      }
      expect(load.takeFailures()).toEqual([]);
      expect(load.ledger.plain.size).toBeGreaterThan(0);
      expect(load.ledger.visits).toBeGreaterThan(0);
      await settle(load.ledger);
    },
    restartsMs,
  );

  test(
    'every role killed under load: only connections are lost, never what was answered',
    async () => {
      const load = await startLoad({ api, edge, site, integration, livePaths, clients });
      try {
        for (let index = 0; index < (long ? 3 * rounds : 1); index++) {
          await sleep(1000);
          const [endings] = await Promise.all([restart('SIGKILL', index), goLive(`Live during kill ${randomUUID()}`)]);
          expect(endings).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
        }
      } finally {
        await load.stop();
      }
      // the proxy's response when the process behind it disappears during a request
      expect(load.takeFailures().filter((failure) => !/: (502|503)$/.test(failure))).toEqual([]);
      await settle(load.ledger);
    },
    restartsMs,
  );
});
