import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signBody } from '../../services/features/inbound/signature.ts';
import { eventually } from '../harness/api.ts';
import { freshPorts, freshSecretKey, type Installation, startInstallation } from '../harness/installation.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

const minutesMs = 600_000;
const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const settings = { FIELDSTONE_SECRET_KEY: freshSecretKey() };
const env = { ...process.env, NODE_OPTIONS: '', ...settings };

let ports: Awaited<ReturnType<typeof freshPorts>>;
let here: Installation;
let key: string;
let integration: Any;

async function request(method: string, at: string, body?: unknown): Promise<Any> {
  const { status, data } = await here.request(method, at, { key, body });
  expect([at, Math.floor(status / 100)]).toEqual([at, 2]);
  return data;
}

/**
 * Leaves work of every kind waiting when the service stops: a scheduled item, a delivery just accepted, a publish just
 * requested.
 */
async function leaveWork() {
  const item = await request('POST', '/sites/switched/content', {
    title: `Scheduled ${randomUUID().slice(0, 8)}`,
    status: 'scheduled',
    scheduled_at: `${new Date(Date.now() + 5000).toISOString().slice(0, 19)}Z`,
  });
  const { job } = await request('POST', '/sites/switched/publish');
  const body = Buffer.from(JSON.stringify({ title: `Delivered ${randomUUID()}`, body_html: '<p>x</p>' }));
  const headers = { 'X-Service-Signature': signBody(integration.secret, body), 'X-Delivery-Id': randomUUID() };
  const reply = await fetch(`${here.origin}/webhooks/${integration.slug}`, { method: 'POST', headers, body });
  expect(reply.status).toBe(202);
  return { item: item.id as string, job: job as string };
}

async function expectDone({ item, job }: Awaited<ReturnType<typeof leaveWork>>): Promise<void> {
  await eventually('the publish has succeeded', async () => {
    return (await request('GET', `/jobs/${job}`)).status === 'succeeded';
  });
  await eventually('the scheduled item is live', async () => {
    const { status, url } = await request('GET', `/sites/switched/content/${item}`);
    return status === 'published' && (await fetch(url)).status === 200;
  });
  await eventually('every delivery has succeeded', async () => {
    const deliveries: Any[] = await request('GET', `/sites/switched/webhooks/${integration.id}/deliveries`);
    return deliveries.every(({ status }) => status === 'succeeded');
  });
}

async function switchTo(actors: 'embedded' | 'temporal'): Promise<Any> {
  const args = ['engines', 'set', '--actors', actors, '--data', here.data, '--json'];
  return JSON.parse((await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout);
}

/** Returns the message of `up` when it does not start. */
function refusal(...flags: string[]): string {
  const args = [program, 'up', '--data', here.data, '--port', '0', '--edge-port', '0', ...flags];
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', timeout: 120_000 });
  expect(status).toBe(1);
  return stderr;
}

beforeAll(async () => {
  ports = await freshPorts();
  here = await startInstallation(ports, settings);
  ({ key } = await here.run('keys', 'create', '--name', 'root', '--scopes', 'admin', '--sites', '*'));
  await request('POST', '/sites', { name: 'Switched', slug: 'switched' });
  integration = await request('POST', '/sites/switched/webhooks', { mapper: 'create_post' });
}, minutesMs);
afterAll(() => here?.destroy(), minutesMs);

test(
  'a data folder switches from embedded actors to Temporal, and the work that waited is done there',
  async () => {
    const work = await leaveWork();
    await here.stop();
    expect(refusal('--temporal')).toContain(`\`fieldstone engines set --actors temporal --data ${here.data}\``);
    expect(await switchTo('temporal')).toMatchObject({
      actors: 'temporal',
      objects: 'files',
      fallback: null,
      changed: true,
    });
    expect(refusal()).toContain(`\`fieldstone engines set --actors embedded --data ${here.data}\``);
    here = await startInstallation(ports, settings, ['--temporal'], here.data);
    await expectDone(work);
  },
  minutesMs,
);

test(
  'and back',
  async () => {
    const work = await leaveWork();
    await here.stop();
    expect(await switchTo('embedded')).toMatchObject({ actors: 'embedded', changed: true, next: [] });
    here = await startInstallation(ports, settings, [], here.data);
    await expectDone(work);
  },
  minutesMs,
);
