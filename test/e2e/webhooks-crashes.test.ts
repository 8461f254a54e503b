import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { signBody } from '../../services/features/inbound/signature.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import '../harness/retry.ts';

const rounds = Number(process.env.CRASH_ROUNDS ?? 20);
const articles = 40;
const versions = 5;

let stack: Stack;
let receiver: Receiver;
let db: Database;

// a separate stack: the kills would fail tests that run concurrently
beforeAll(async () => {
  stack = await startStack();
  receiver = listen(stack.allowedPorts[0]!);
  db = openDatabase({ ...requireEngines(loadConfig(stack.env)), databasePoolSize: 2, sqlLogFile: undefined });
}, 180_000);
afterAll(async () => {
  receiver?.server.closeAllConnections();
  receiver?.server.close();
  await db?.close();
  await stack?.stop();
}, 60_000);

/** Returns the processes of this stack that have this in their environment or command line. */
function findProcesses(file: 'environ' | 'cmdline', part: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0').join(' ').includes(part);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Kills a process; returns false if there was none, because it may be restarting. */
function killOneOf(name: string): boolean {
  const pids =
    name === 'temporal'
      ? findProcesses('cmdline', `--port ${new URL(`http://${stack.env.TEMPORAL_ADDRESS}`).port} `)
      : findProcesses('environ', `FIELDSTONE_OPS_PORT=${new URL(stack.ops[name]!).port}`);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids.length > 0;
}

/** Sends until it is accepted, as providers do, always with the same id. */
async function send(slug: string, secret: string, payload: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(payload));
  const deliveryId = randomUUID();
  for (let attempt = 0; ; attempt++) {
    const headers = { 'X-Delivery-Id': deliveryId, 'X-Service-Signature': signBody(secret, body) };
    const url = `${stack.gateways[attempt % 2]}/webhooks/${slug}`;
    const status = await fetch(url, { method: 'POST', headers, body }).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 202 || status === 200) return;
    if (status !== 0 && status < 500) throw new Error(`The delivery was refused: ${status}`);
    await sleep(100);
  }
}

interface Receiver {
  server: Server;
  /** Number of receptions by id. */
  received: Map<string, number>;
  secret: { value: string };
}

/** Accepts events with a valid signature. */
function listen(port: number): Receiver {
  const received = new Map<string, number>();
  const secret = { value: '' };
  const server = createServer(async (req, res) => {
    const text = (await buffer(req)).toString();
    new Webhook(secret.value).verify(text, req.headers as Record<string, string>);
    const id = String(req.headers['webhook-id']);
    received.set(id, (received.get(id) ?? 0) + 1);
    await sleep(20);
    res.writeHead(204).end();
  }).listen(port, '127.0.0.1');
  return { server, received, secret };
}

// rule: reply.202
test(`every delivery has its outcome, and nothing is there twice, after ${rounds} kills in a burst`, async () => {
  const { key } = await createKey(db, { name: 'crash', scopes: ['admin'], sites: ['*'], userEmail: undefined });
  const post = async (path: string, body: object) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const reply = await fetch(`${stack.gateways[0]}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return ((await reply.json()) as { data: { id: string; slug: string; secret: string } }).data;
  };
  const site = await post('/sites', { name: 'Crash', slug: 'crash' });
  const url = `http://127.0.0.1:${stack.allowedPorts[0]}/hook`;
  const endpoint = await post('/sites/crash/event-endpoints', { url, events: ['content.published', 'site.published'] });
  receiver.secret.value = endpoint.secret;
  const { id, slug, secret } = await post('/sites/crash/webhooks', { mapper: 'autoseo' });

  const sending = (async () => {
    // the versions of an article in order, the articles concurrently
    for (let version = 1; version <= versions; version++) {
      for (let n = 0; n < articles; n += 10) {
        const group = Array.from({ length: 10 }, (_, k) => n + k);
        await Promise.all(
          group.map((article) =>
            send(slug, secret, { id: article, title: `V${version} of ${article}`, body_html: '<p>x</p>' }),
          ),
        );
      }
    }
  })();
  const roles = Object.keys(stack.ops);
  const names = stack.engines === 'cluster' ? [...roles, 'temporal'] : roles;
  let kills = 0;
  for (let round = 0; round < rounds; round++) {
    await sleep(200 + (createHash('md5').update(`${round}`).digest()[0]! / 255) * 1800);
    if (killOneOf(names[round % names.length]!)) kills++;
  }
  await sending;
  expect(kills).toBeGreaterThan(rounds / 2);

  const count = async (where: string) =>
    (
      await db.query<{ n: number }>(`SELECT count(*) AS n FROM deliveries WHERE integration_id = $1 AND ${where}`, [id])
    )[0]!.n;
  const end = Date.now() + 240_000;
  while ((await count('finished_at IS NULL')) > 0 && Date.now() < end) await sleep(500);

  expect(await count('true')).toBe(articles * versions);
  expect(await count("status = 'succeeded'")).toBe(articles * versions);
  const items = await db.query<{ title: string; source_ref: string; slug: string }>(
    'SELECT title, source_ref, slug FROM content WHERE site_id = $1 ORDER BY source_ref',
    [site.id],
  );
  expect(items).toHaveLength(articles);
  for (const { title, source_ref } of items) expect(title).toBe(`V${versions} of ${source_ref}`);
  // each applied delivery made exactly one revision
  const [revisions] = await db.query<{ n: number }>('SELECT count(*) AS n FROM content_revisions WHERE site_id = $1', [
    site.id,
  ]);
  expect(revisions!.n).toBe(await count("result->>'superseded_by' IS NULL"));

  // every edge serves all of it
  const isLive = async (edge: string, item: (typeof items)[number]) => {
    const page = await fetch(`${edge}/sites/crash/posts/${item.slug}/`).then((reply) => reply.text(), String);
    return page.includes(item.title);
  };
  for (const edge of stack.edges)
    for (const item of items) {
      while (!(await isLive(edge, item)) && Date.now() < end) await sleep(200);
      expect(await isLive(edge, item)).toBe(true);
    }

  // each event was recorded once, and has arrived at least once
  const events = () =>
    db.query<{ id: string; type: string; status: string; subject: string }>(
      `SELECT id, type, status, COALESCE(payload::JSONB->'data'->'content'->>'id', payload::JSONB->'data'->>'release') AS subject
       FROM events WHERE site_id = $1`,
      [site.id],
    );
  while ((await events()).some(({ status }) => status !== 'delivered') && Date.now() < end) await sleep(500);
  const told = await events();
  const subjects = (type: string) => told.filter((event) => event.type === type).map(({ subject }) => subject);
  const releases = await db.query<{ id: string }>('SELECT id FROM releases WHERE site_id = $1 AND preview = false', [
    site.id,
  ]);
  const shown = await db.query<{ id: string }>('SELECT id FROM content WHERE site_id = $1', [site.id]);
  expect(subjects('site.published').sort()).toEqual(releases.map((row) => row.id).sort());
  expect(subjects('content.published').sort()).toEqual(shown.map((row) => row.id).sort());
  expect(told.filter(({ status }) => status !== 'delivered')).toEqual([]);
  expect([...receiver.received.keys()].sort()).toEqual(told.map((event) => event.id).sort());
}, 420_000);
