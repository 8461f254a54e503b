/**
 * Compares the gateway's whole pipeline with two bare restify servers, at the same isolation: one that sends the same
 * statements, and one that sends a single statement. Item read, list of 20 with total, create; one run, rounds
 * interleaved, 16 connections, limits off (and once on). Also the first page of a list at 1,000 and at 100,000 items, and a flood beyond the limit. Run: node
 * test/bench/gateway.ts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { roleArguments } from '../../services/cli/up/roles.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { startEdgeEngines } from './edge/engines.ts';
import { figure } from './report/figure.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const roundSeconds = 3;
const connections = 16;
const slug = 'bench';
const children: ChildProcess[] = [];

interface Load {
  method?: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Sent one after the other by each connection, in place of `url`'s path. */
  requests?: { path: string }[];
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function fire(load: Load, allowed?: number) {
  const result = await autocannon({ ...load, connections, duration: roundSeconds });
  if (result.errors > 0 || (allowed === undefined && result.non2xx > 0))
    throw new Error(`${load.url}: ${result.non2xx} bad replies, ${result.errors} errors`);
  return result;
}

/** The bare servers that a rate is compared with: one with the same statements, one with a single statement. */
interface Bare {
  same?: Load;
  single?: Load;
}

interface Aims {
  same?: string;
  single?: string;
}

/** Runs alternating rounds; prints the medians and their ratios, and the gateway's p99 and p50. */
async function compare(title: string, bare: Bare, ours: Load, aims: Aims, allowed?: number): Promise<void> {
  const rates = { same: [] as number[], single: [] as number[], ours: [] as number[] };
  const latency = { p50: [] as number[], p99: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const others = { same: bare.same && (await fire(bare.same)), single: bare.single && (await fire(bare.single)) };
    const result = await fire(ours, allowed);
    if (round === 0) continue; // warm-up
    if (others.same) rates.same.push(others.same.requests.average);
    if (others.single) rates.single.push(others.single.requests.average);
    rates.ours.push(result.requests.average);
    latency.p50.push(result.latency.p50);
    latency.p99.push(result.latency.p99);
  }
  const ourRate = median(rates.ours);
  const times = `p50 ${median(latency.p50)} ms, p99 ${median(latency.p99)} ms`;
  const statements = { same: 'the same statements', single: 'one statement' };
  for (const kind of ['same', 'single'] as const) {
    if (!bare[kind]) continue;
    const rate = median(rates[kind]);
    const value = `${(ourRate / rate).toFixed(2)} (${ourRate.toFixed(0)} of ${rate.toFixed(0)} a second); ${times}`;
    figure(`${title}, of a bare restify server with ${statements[kind]}`, value, aims[kind]);
  }
}

async function startGateway(env: Record<string, string>): Promise<string> {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const own = {
    ...env,
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_OPS_PORT: String(opsPort),
    FIELDSTONE_LOG_LEVEL: 'warn',
  };
  children.push(
    spawn(process.execPath, roleArguments('gateway'), { env: own, stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  for (let tries = 0; tries < 300; tries++) {
    if (
      await fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      )
    )
      return `http://127.0.0.1:${port}`;
    await sleep(50);
  }
  throw new Error('The gateway did not become ready.');
}

async function startBare(env: Record<string, string>, plan: unknown): Promise<string> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'gateway', 'bare.ts')], {
    env: { ...env, BARE_PLAN: JSON.stringify(plan) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [port] = (await once(child.stdout!, 'data')) as [Buffer];
  return `http://127.0.0.1:${port.toString().trim()}`;
}

const engines = await startEdgeEngines();
try {
  const sqlLog = path.join(os.tmpdir(), `fieldstone-bench-${process.pid}.jsonl`);
  appendFileSync(sqlLog, '');
  const off = { ...engines.env, FIELDSTONE_RATE_LIMIT_IP: '0', FIELDSTONE_RATE_LIMIT_KEY: '0' };
  const db = openDatabase(engines.config);
  const { id: keyId, key } = await createKey(db, { name: 'bench', scopes: ['admin'], sites: ['*'] });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const logged = await startGateway({ ...off, FIELDSTONE_TEST_SQL_LOG: sqlLog });
  const call = async (method: string, route: string, body?: object) => {
    truncateSync(sqlLog);
    const reply = await fetch(`${logged}/api/v1${route}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const statements = readFileSync(sqlLog, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as string);
    return { data: ((await reply.json()) as { data: { id: string } }).data, statements };
  };
  const item = {
    title: 'A benchmark item',
    body_html: `<p>${'Some words of a paragraph. '.repeat(40)}</p>`,
    tags: ['a', 'b'],
    excerpt: 'Short',
  };
  const site = await call('POST', '/sites', { name: 'Bench', slug });
  const content = `/sites/${slug}/content`;
  const made = await call('POST', content, item);
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) {
    const reply = await fetch(`${logged}/api/v1${content}/batch`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        items: Array.from({ length: 100 }, (_, i) => ({ ...item, title: `Item ${n * 100 + i}` })),
      }),
    });
    const { data } = (await reply.json()) as { data: { results: { data: { id: string } }[] } };
    ids.push(...data.results.map((result) => result.data.id));
  }
  const read = await call('GET', `${content}/${made.data.id}`);
  const listed = await call('GET', content);
  const siteId = site.data.id;
  const identify = [keyId, slug];
  const withParams = (statements: string[], params: unknown[][]) =>
    statements.map((sql, index) => ({ sql, params: params[index] }));
  const oneOf = (statements: string[], params: unknown[]) => [{ sql: statements.at(-1)!, params }];
  const itemParams = [made.data.id, siteId];
  const listParams = [siteId, 20, 0, 1_048_576];
  const bareInsert = `INSERT INTO content (id, site_id, type, title, slug, locale, body_html, excerpt, status, tags, warnings)
    VALUES ($1, $2, 'post', $3, $4, 'en', $5, $6, 'draft', $7::TEXT[], '[]'::JSONB) RETURNING *`;
  const insertParams = ['{uuid}', siteId, item.title, 'bare-{n}', item.body_html, item.excerpt, item.tags];
  const bare = await startBare(off, [
    { method: 'get', path: '/item', statements: withParams(read.statements, [identify, itemParams]) },
    { method: 'get', path: '/item/single', statements: oneOf(read.statements, itemParams) },
    { method: 'get', path: '/list', statements: withParams(listed.statements, [identify, listParams]) },
    { method: 'get', path: '/list/single', statements: oneOf(listed.statements, listParams) },
    { method: 'post', path: '/create/single', statements: [{ sql: bareInsert, params: insertParams }] },
    { method: 'get', path: '/key', statements: withParams(read.statements.slice(0, 1), [identify]) },
  ]);
  const ours = await startGateway(off);
  const limited = await startGateway({
    ...engines.env,
    FIELDSTONE_RATE_LIMIT_IP: '1000000000',
    FIELDSTONE_RATE_LIMIT_KEY: '1000000000',
  });
  const get = (base: string, route: string): Load => ({ url: `${base}/api/v1${route}`, headers });
  const bareOf = (route: string): Bare => ({ same: { url: bare + route }, single: { url: `${bare}${route}/single` } });
  // every read is of another item, so that concurrent requests do not read the same one
  const readItems = (base: string): Load => ({
    ...get(base, content),
    requests: ids.map((id) => ({ path: `/api/v1${content}/${id}` })),
  });
  await compare('item read', bareOf('/item'), readItems(ours), { same: '0.6; p99 < 5 × p50', single: '0.45' });
  await compare('item read, limits on', bareOf('/item'), readItems(limited), {});
  await compare('list of 20 with total', bareOf('/list'), get(ours, content), {
    same: '0.6; p99 < 5 × p50',
    single: '0.55',
  });
  // slugs differ, as the bare server's do: a counter would need another statement
  const createLoad: Load = {
    method: 'POST',
    url: `${ours}/api/v1${content}`,
    headers,
    body: JSON.stringify({ ...item, title: 'Item [<id>]' }),
  };
  const bareCreate: Load = {
    method: 'POST',
    url: `${bare}/create/single`,
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  };
  await compare('create', { single: bareCreate }, { ...createLoad, idReplacement: true } as Load, { single: '0.3' });
  const flooded = await startGateway({ ...engines.env, FIELDSTONE_RATE_LIMIT_IP: '60' });
  await compare(
    'flood beyond the limit',
    { same: { url: `${bare}/key` } },
    get(flooded, content),
    { same: '0.8' },
    Number.POSITIVE_INFINITY,
  );

  const firstPage = async () => {
    const times: number[] = [];
    for (let n = 0; n < 200; n++) {
      const startedAt = performance.now();
      await (await fetch(`${ours}/api/v1${content}`, { headers })).arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  const small = await firstPage();
  await db.query(
    `INSERT INTO content (site_id, type, title, slug, locale, body_html, status, tags, warnings)
     SELECT $1::UUID, 'post', 'Bulk ' || n, 'bulk-' || n, 'en', '<p>x</p>', 'draft', ARRAY[]::TEXT[], '[]'::JSONB FROM generate_series(1, 100000) AS g (n)`,
    [siteId],
  );
  await db.query('INSERT INTO content_counts (site_id, shard, active) VALUES ($1, 100, 100000)', [siteId]);
  await db.query('ANALYZE content');
  const large = await firstPage();
  figure(
    'first page of a list with its total, time with 100,000 items more',
    `${(large / small).toFixed(2)} × (${small.toFixed(2)} and ${large.toFixed(2)} ms)`,
    '< 3 ×',
  );
  await db.close();
} finally {
  for (const child of children) child.kill('SIGTERM');
  await engines.stop();
}
