/**
 * Measures inbound webhooks under load, everything in one run on real engines:
 * 1. the endpoint against a bare restify server that checks the same HMAC and does one INSERT (16 connections,
 * alternating rounds);
 * 2. mapping without images against one workflow per delivery with one activity;
 * 3. the endpoint again, while four workers map (p99 at 16 connections);
 * 4. autoseo deliveries with two images each from a local server, all live, each exactly once (BENCH_ARTICLES, 1000).
 * Run: node test/bench/webhooks.ts
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import sharp from 'sharp';
import { roleArguments } from '../../services/cli/up/roles.ts';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { createLogger } from '../../services/core/log.ts';
import { createCipher } from '../../services/core/secrets.ts';
import { createTemporalClient } from '../../services/engines/actors/temporal/client.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { createIntegration, type WithSecret } from '../../services/features/integrations/service.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { integrationActor } from '../../workflows/contracts/integration-actor.ts';
import { startEdgeEngines } from './edge/engines.ts';
import { figure } from './report/figure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const articles = Number(process.env.BENCH_ARTICLES ?? 1000);
const mapped = Number(process.env.BENCH_MAPPED ?? 500);
const workflows = Number(process.env.BENCH_WORKFLOWS ?? 100);
const roundSeconds = 3;
const busyWorkers = 4;
/** Enough to keep the workers busy all the time. */
const backlog = 6000;
const connections = 16;
const children: ChildProcess[] = [];

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const memoryMb = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

function spawnRole(role: 'gateway' | 'worker', env: Record<string, string>, port: number, opsPort = 0): ChildProcess {
  const own = {
    ...env,
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_OPS_PORT: String(opsPort),
    FIELDSTONE_LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, roleArguments(role), { env: own, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child;
}

/** Ends processes; does not wait for those that have exited already. */
async function endChildren(ending: readonly ChildProcess[]): Promise<void> {
  const alive = ending.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = alive.map((child) => once(child, 'exit'));
  for (const child of alive) child.kill('SIGTERM');
  await Promise.all(ended);
}

async function until(what: string, probe: () => Promise<boolean>, timeoutMs = 900_000): Promise<number> {
  const start = performance.now();
  while (!(await probe())) {
    if (performance.now() - start > timeoutMs) throw new Error(`It did not happen: ${what}`);
    await sleep(50);
  }
  return performance.now() - start;
}

async function fire(origin: string, { row, secret }: WithSecret) {
  const body = JSON.stringify({ title: 'Bench', body_html: `<p>${'A paragraph. '.repeat(150)}</p>`, status: 'draft' });
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  return autocannon({
    url: `${origin}/webhooks/${row.slug}`,
    connections,
    duration: roundSeconds,
    requests: [
      {
        method: 'POST',
        body,
        setupRequest: (request) => ({
          ...request,
          headers: { 'x-service-signature': signature, 'x-delivery-id': randomUUID() },
        }),
      },
    ],
  });
}

const png = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#456' } })
  .png()
  .toBuffer();
const images = createServer((req, res) => {
  // a unique comment makes the bytes of every image differ
  res.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.concat([png, Buffer.from(req.url!)]));
}).listen(0, '127.0.0.1');
await once(images, 'listening');
const imagePort = (images.address() as AddressInfo).port;

const engines = await startEdgeEngines({ workflows: true });
const gatewayPort = await findFreePort();
const env: Record<string, string> = {
  ...engines.env,
  FIELDSTONE_HOST: '127.0.0.1',
  FIELDSTONE_FETCH_ALLOW: `127.0.0.1:${imagePort}`,
  FIELDSTONE_URL: `http://127.0.0.1:${gatewayPort}`,
};
const config = requireEngines(loadConfig(env));
const db = openDatabase({ ...config, databasePoolSize: 4 });
const temporal = createTemporalClient(config, createLogger('bench', 'silent'));
try {
  const countOf = async (id: string, where: string) =>
    (
      await db.query<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE integration_id = $1 AND ${where}`, [id])
    )[0]!.n;

  const gateway = spawnRole('gateway', env, gatewayPort);
  const origin = `http://127.0.0.1:${gatewayPort}`;
  await until('the gateway answers', () =>
    fetch(`${origin}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );

  const { key } = await createKey(db, { name: 'bench', scopes: ['admin'], sites: ['*'], userEmail: undefined });
  const madeSite = await fetch(`${origin}/api/v1/sites`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: '{"name":"Bench"}',
  });
  const site = ((await madeSite.json()) as { data: { id: string; slug: string } }).data;
  const make = (mapper: 'autoseo' | 'create_post') =>
    createIntegration(db, createCipher(config.secretKeys), site, { mapper, enabled: true }, 50);

  // 1. the endpoint; nothing is mapped yet
  const endpoint = await make('create_post');
  const bare = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'webhooks/bare.ts'), config.databaseUrl, endpoint.secret],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.push(bare);
  const [port] = (await once(bare.stdout!, 'data')) as [Buffer];
  const rates = { bare: [] as number[], ours: [] as number[], p99: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const theirs = await fire(`http://127.0.0.1:${port.toString().trim()}`, endpoint);
    const ours = await fire(origin, endpoint);
    if (theirs.non2xx + ours.non2xx > 0) throw new Error('A delivery was refused.');
    if (round === 0) continue; // warm-up
    rates.bare.push(theirs.requests.average);
    rates.ours.push(ours.requests.average);
    rates.p99.push(ours.latency.p99);
  }
  figure(
    'endpoint, of a bare restify server with the same HMAC and one INSERT',
    `${(median(rates.ours) / median(rates.bare)).toFixed(2)} (${median(rates.ours).toFixed(0)} of ${median(rates.bare).toFixed(0)} a second); p99 ${median(rates.p99)} ms`,
    '0.5',
  );
  await db.query('DELETE FROM integrations WHERE id = $1', [endpoint.row.id]);

  // 2. mapping
  const workers = Array.from({ length: Number(process.env.BENCH_WORKERS ?? 1) }, () => spawnRole('worker', env, 0));
  await until('the workers poll', async () => {
    await temporal
      .run('mediaFetch', { id: randomUUID(), input: { url: 'ftp://x' }, timeoutMs: 60_000 })
      .catch(() => undefined);
    return true;
  });
  const oneByOne = performance.now();
  for (let done = 0; done < workflows; done += connections) {
    await Promise.all(
      Array.from({ length: Math.min(connections, workflows - done) }, () =>
        temporal
          .run('mediaFetch', { id: randomUUID(), input: { url: 'ftp://x' }, timeoutMs: 60_000 })
          .catch(() => undefined),
      ),
    );
  }
  const workflowRate = workflows / ((performance.now() - oneByOne) / 1000);
  const draft = JSON.stringify({ title: 'Mapped NUMBER', body_html: '<p>x</p>', status: 'draft' });
  /** Inserts old deliveries into the inbox of an integration and wakes its actor. */
  async function fill({ row }: WithSecret, count: number): Promise<void> {
    await db.query(
      `INSERT INTO deliveries (integration_id, site_id, delivery_id, seq, status, headers, body, timeline)
       SELECT $1::UUID, $2::UUID, 'm' || n::TEXT, n, 'queued', '[]'::JSONB, convert_to(replace($4::TEXT, 'NUMBER', n::TEXT), 'UTF8'), '[]'::JSONB FROM generate_series(1, $3::INT8) AS n`,
      [row.id, site.id, count, draft],
    );
    temporal.wakeActor(integrationActor(row.id));
  }
  const inbox = await make('create_post');
  await fill(inbox, mapped);
  const tookMs = await until(
    'all are mapped',
    async () => (await countOf(inbox.row.id, 'mapped IS NOT NULL')) === mapped,
  );
  const rate = (mapped / tookMs) * 1000;
  figure(
    'mapping, of one workflow per delivery',
    `${(rate / workflowRate).toFixed(1)} × (${rate.toFixed(0)} and ${workflowRate.toFixed(0)} a second)`,
    '5 ×',
  );

  // 3. the endpoint while others map: one integration per worker
  const helpers: ChildProcess[] = [];
  while (workers.length + helpers.length < busyWorkers) {
    const opsPort = await findFreePort();
    helpers.push(spawnRole('worker', env, 0, opsPort));
    await until('the worker is ready', () =>
      fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      ),
    );
  }
  const busy: WithSecret[] = [];
  while (busy.length < busyWorkers) busy.push(await make('create_post'));
  const target = await make('create_post');
  await db.query('UPDATE integrations SET next_seq = $2 WHERE id = ANY($1::UUID[])', [
    busy.map(({ row }) => row.id),
    backlog + 1,
  ]);
  await Promise.all(busy.map((one) => fill(one, backlog / busyWorkers)));
  const countMapped = async () =>
    (await Promise.all(busy.map(({ row }) => countOf(row.id, 'mapped IS NOT NULL')))).reduce((sum, n) => sum + n, 0);
  await until('they map', async () => (await countMapped()) > 0);
  const before = await countMapped();
  const latencies: { p99: number; rate: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { latency, requests, non2xx } = await fire(origin, target);
    if (non2xx > 0) throw new Error('A delivery was refused.');
    latencies.push({ p99: latency.p99, rate: requests.average });
  }
  const meanwhile = (await countMapped()) - before;
  figure(
    `endpoint while ${busyWorkers} workers map ${(meanwhile / (rounds * roundSeconds)).toFixed(0)} deliveries a second`,
    `p99 ${median(latencies.map(({ p99 }) => p99))} ms at ${median(latencies.map(({ rate }) => rate)).toFixed(0)} a second`,
    'p99 < 40 ms',
  );
  for (const { row } of [...busy, target]) await db.query('DELETE FROM integrations WHERE id = $1', [row.id]);
  await until('the workers have put down what is gone', async () => {
    const [left] = await db.query<{ n: number }>(
      'SELECT count(*) AS n FROM jobs WHERE site_id = $1 AND finished_at IS NULL',
      [site.id],
    );
    return left!.n === 0;
  });

  await endChildren(helpers);

  // 4. articles with images
  const source = await make('autoseo');
  const sizes: number[] = [];
  const start = performance.now();
  const watch = setInterval(() => sizes.push(workers.reduce((sum, worker) => sum + memoryMb(worker.pid!), 0)), 1000);
  for (let n = 0; n < articles; n++) {
    const image = (k: number) => `http://127.0.0.1:${imagePort}/${n}-${k}.png`;
    const body = JSON.stringify({
      id: n,
      title: `Article ${n}`,
      body_html: `<p>Text ${n}</p><img src="${image(1)}"><img src="${image(2)}">`,
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const signature = `t=${timestamp},v1=${createHmac('sha256', source.secret).update(`${timestamp}.${body}`).digest('hex')}`;
    const reply = await fetch(`${origin}/webhooks/${source.row.slug}`, {
      method: 'POST',
      body,
      headers: { 'X-Service-Signature': signature, 'X-Delivery-Id': `a${n}` },
    });
    if (reply.status !== 202) throw new Error(`A delivery was refused: ${reply.status}`);
  }
  const sentMs = performance.now() - start;
  await until('all are live', async () => (await countOf(source.row.id, 'finished_at IS NULL')) === 0);
  clearInterval(watch);
  const succeeded = await countOf(source.row.id, "status = 'succeeded'");
  const [items] = await db.query<{ n: number }>('SELECT count(*) AS n FROM content WHERE source_scope = $1', [
    source.row.id,
  ]);
  const [stored] = await db.query<{ n: number }>('SELECT count(*) AS n FROM media WHERE site_id = $1', [site.id]);
  const [builds] = await db.query<{ n: number }>('SELECT count(*) AS n FROM releases WHERE site_id = $1', [site.id]);
  const liveSeconds = (performance.now() - start) / 1000;
  figure(
    `${articles} articles with two images each, first byte to last page live`,
    `${liveSeconds.toFixed(1)} s (${succeeded} live, ${items!.n} items, ${stored!.n} images, ${builds!.n} builds; sent in ${(sentMs / 1000).toFixed(1)} s)`,
  );
  figure(
    'memory meanwhile',
    `workers ${Math.min(...sizes)} to ${Math.max(...sizes)} MB, at the end ${sizes.at(-1)} MB; gateway ${memoryMb(gateway.pid!)} MB`,
    'flat',
  );
} finally {
  await endChildren(children);
  await temporal.close();
  await db.close();
  await engines.stop();
  images.close();
}
