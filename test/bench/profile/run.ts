/**
 * Shows where the time of four paths is spent: reading an item, creating one, a delivery from its POST until it is
 * mapped, the first build of 1,000 posts, and a change of one of 10,000. For each, the processor time of every process, and the costs of the main
 * thread of the role that does the work. Run: npm run profile, or with the names of some.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { roleArguments } from '../../../services/cli/up/roles.ts';
import { createCipher } from '../../../services/core/secrets.ts';
import { openDatabase } from '../../../services/engines/sql/database.ts';
import { findFreePort } from '../../../services/engines-local/ports.ts';
import { createIntegration } from '../../../services/features/integrations/service.ts';
import { createKey } from '../../../services/features/keys/service.ts';
import { startEdgeEngines } from '../edge/engines.ts';
import { readCpuTimes } from './cpu-time.ts';
import { type Cost, findInspector, profile, readCosts } from './inspect.ts';

const connections = 16;
const loadSeconds = 8;
const deliveries = 1500;
const posts = 1000;
const changedPosts = 10_000;
const changes = 10;
const paragraphs = `<h2>A heading</h2>${'<p>Some words of a paragraph that is as long as most are, more or less. </p>'.repeat(12)}`;
const children: ChildProcess[] = [];

async function startRole(role: 'gateway' | 'worker' | 'edge', settings: Record<string, string>) {
  const opsPort = await findFreePort();
  const env = { ...settings, FIELDSTONE_OPS_PORT: String(opsPort), FIELDSTONE_LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...roleArguments(role)], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  const inspector = await findInspector(child);
  const ready = () =>
    fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready())) await sleep(50);
  return inspector;
}

const percent = (share: number) => `${(share * 100).toFixed(1).padStart(5)} %`;
const print = (title: string, costs: readonly Cost[]) =>
  process.stdout.write(`  ${title}\n${costs.map(({ name, share }) => `  ${percent(share)}  ${name}\n`).join('')}`);

/** Profiles `work` in one role, per unit of work; `work` returns the number of units. */
async function show(title: string, inspector: string, work: () => Promise<number>): Promise<void> {
  const before = readCpuTimes();
  let units = 1;
  const taken = await profile(inspector, async () => {
    units = await work();
  });
  const used = [...readCpuTimes()].map(([kind, ms]) => [kind, (ms - (before.get(kind) ?? 0)) / units] as const);
  const parts = used.filter(([, ms]) => ms > 0).sort(([, a], [, b]) => b - a);
  const { activeMs, modules, functions } = readCosts(taken);
  process.stdout.write(`\n== ${title}, ${units} times; processor time of one:\n`);
  process.stdout.write(`  ${parts.map(([kind, ms]) => `${kind} ${ms.toFixed(2)} ms`).join(', ')}\n`);
  process.stdout.write(`  main thread of the profiled role: ${(activeMs / units).toFixed(2)} ms\n`);
  print('what ran', modules);
  print('what of ours had it run', functions);
}

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
const engines = await startEdgeEngines({ workflows: true });
const db = openDatabase({ ...engines.config, databasePoolSize: 4 });
try {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    ...engines.env,
    FIELDSTONE_URL: origin,
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_RATE_LIMIT_IP: '0',
    FIELDSTONE_RATE_LIMIT_KEY: '0',
  };
  const gateway = await startRole('gateway', env);
  const { key } = await createKey(db, { name: 'profile', scopes: ['admin'], sites: ['*'], userEmail: undefined });
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const call = async (method: string, route: string, body?: object) => {
    const reply = await fetch(`${origin}/api/v1${route}`, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
    });
    const { data, error } = (await reply.json()) as {
      data: { id: string; slug: string; status?: string; job?: string };
      error?: unknown;
    };
    if (!reply.ok) throw new Error(JSON.stringify(error));
    return data;
  };
  const site = await call('POST', '/sites', { name: 'Profile', slug: 'profile' });
  const content = '/sites/profile/content';
  const item = { title: 'An item', body_html: paragraphs, tags: ['a'], status: 'draft' };
  const made = await call('POST', content, item);
  const load = async (options: object) => {
    const { requests, non2xx } = await autocannon({
      connections,
      headers,
      duration: loadSeconds,
      url: origin,
      ...options,
    });
    if (non2xx > 0) throw new Error(`${non2xx} requests were refused.`);
    return requests.total;
  };
  const read = { url: `${origin}/api/v1${content}/${made.id}` };
  const create = {
    url: `${origin}/api/v1${content}`,
    method: 'POST',
    body: JSON.stringify({ ...item, title: 'Item [<id>]' }),
    idReplacement: true,
  };
  await load({ ...read, duration: 2 });
  if (isWanted('read')) await show('reading an item', gateway, () => load(read));
  if (isWanted('create')) await show('creating an item', gateway, () => load(create));

  const worker = await startRole('worker', env);
  await startRole('edge', env);
  if (isWanted('delivery')) {
    const { row, secret } = await createIntegration(
      db,
      createCipher(engines.config.secretKeys),
      site,
      {
        mapper: 'create_post',
        enabled: true,
      },
      50,
    );
    const send = async () => {
      const body = JSON.stringify({ ...item, title: `Delivered ${randomUUID()}` });
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
      const signed = { 'X-Service-Signature': `t=${timestamp},v1=${signature}`, 'X-Delivery-Id': randomUUID() };
      const reply = await fetch(`${origin}/webhooks/${row.slug}`, { method: 'POST', headers: signed, body });
      await reply.arrayBuffer();
    };
    await show('a delivery, until it is mapped', worker, async () => {
      for (let n = 0; n < deliveries; n += connections) await Promise.all(Array.from({ length: connections }, send));
      const left = () =>
        db.query('SELECT 1 AS one FROM deliveries WHERE integration_id = $1 AND mapped IS NULL LIMIT 1', [row.id]);
      while ((await left()).length > 0) await sleep(100);
      return Math.ceil(deliveries / connections) * connections;
    });
  }
  const fillSite = async (slug: string, count: number) => {
    await call('POST', '/sites', { name: slug, slug });
    for (let n = 0; n < count; n += 100) {
      const items = Array.from({ length: 100 }, (_, i) => ({ ...item, title: `Post ${n + i}`, status: 'published' }));
      await call('POST', `/sites/${slug}/content/batch`, { items });
    }
  };
  const publish = async (slug: string) => {
    const { job } = await call('POST', `/sites/${slug}/publish`);
    for (;;) {
      const { status } = await call('GET', `/jobs/${job}?wait=60`);
      if (status === 'succeeded') return;
      if (status === 'failed') throw new Error('The build failed.');
    }
  };
  if (isWanted('build')) {
    await fillSite('build', posts);
    await show(`the first build of ${posts} posts`, worker, async () => {
      await publish('build');
      return 1;
    });
  }
  if (isWanted('change')) {
    await fillSite('change', changedPosts);
    await publish('change');
    const [first] = (await call('GET', '/sites/change/content?per_page=1')) as unknown as { id: string }[];
    await show(`a change of one of ${changedPosts} posts`, worker, async () => {
      for (let n = 0; n < changes; n++) {
        await call('PATCH', `/sites/change/content/${first!.id}`, { body_html: `<p>Change ${n}.</p>` });
        await publish('change');
      }
      return changes;
    });
  }
} finally {
  const ended = children.map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ended);
  await db.close();
  await engines.stop();
}
