import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually } from '../harness/api.ts';
import { untilReady } from '../harness/child.ts';
import { makeCheckout, runBlocks } from '../harness/page-shell.ts';
import { type Block, ownTestOf, pages, readBlocks, readInline } from '../harness/pages.ts';

const startMinutesMs = 300_000;
const pageMinutesMs = 300_000;
// the commands of all pages are sent from one IP address
const env = { ...process.env, NODE_OPTIONS: '', FIELDSTONE_RATE_LIMIT_IP: '0', FIELDSTONE_RATE_LIMIT_KEY: '0' };

let checkout: string;
let port: number;
let edgePort: number;
/** For `shell dev`. */
let devPort: number;
let service: ChildProcess;
let printed = '';
let adminKey: string;
let sites = 0;

/** Adapts a page's text to this test's ports. */
const here = (block: Block): Block => ({
  ...block,
  text: block.text
    .replaceAll('localhost:8080', `localhost:${port}`)
    .replaceAll('localhost:8081', `localhost:${edgePort}`)
    .replaceAll('8090', String(devPort)),
});

/** Returns the blocks of a page to run: without those with a reason or a test of their own. */
const runnable = (page: string) => readBlocks(page).filter((block) => !block.reason && !ownTestOf(block));

/** Returns the variables that the page tells its reader to set, and no others. */
async function valuesFor(page: string): Promise<Record<string, string>> {
  const url = `http://localhost:${port}`;
  const site = `page-${++sites}`;
  const all: Record<string, string> = { URL: url, API: `${url}/api/v1`, KEY: adminKey, SITE: site };
  const told = new Set(readInline(page).code);
  const values = Object.fromEntries(Object.entries(all).filter(([name]) => told.has(name)));
  if (values.SITE) await makeSite(site);
  return values;
}

async function makeSite(slug: string): Promise<void> {
  const reply = await fetch(`http://localhost:${port}/api/v1/sites`, {
    method: 'POST',
    headers: { 'X-API-Key': adminKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'A site', slug }),
  });
  expect(reply.status).toBe(201);
}

/** Deletes a site, if it exists, so that its names are free for another attempt. */
async function removeSite(slug: string): Promise<void> {
  const headers = { 'X-API-Key': adminKey };
  const reply = await fetch(`http://localhost:${port}/api/v1/sites/${slug}`, { method: 'DELETE', headers });
  expect([200, 404]).toContain(reply.status);
}

beforeAll(async () => {
  checkout = makeCheckout();
  [port, edgePort, devPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const first = readBlocks('README.md').find(({ reason }) => reason === 'service')!;
  expect(first.text).toBe('npm install && npm start');
  const flags = ['--', '--port', String(port), '--edge-port', String(edgePort)];
  service = spawn('npm', ['start', ...flags], { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] });
  printed = await untilReady(service, startMinutesMs);
  const options = ['--name', 'pages', '--scopes', 'admin', '--sites', '*', '--json'];
  const made = await promisify(execFile)('npx', ['fieldstone', 'keys', 'create', ...options], { cwd: checkout, env });
  adminKey = JSON.parse(made.stdout).key;
}, startMinutesMs + 60_000);

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(checkout, { recursive: true, force: true });
}, 60_000);

test('the first command brings up a demo site that a visitor can read', async () => {
  const home = await fetch(`http://localhost:${edgePort}/sites/demo/`);
  expect(home.status).toBe(200);
  const html = await home.text();
  expect(html).toContain('<title>Cairn &amp; Post</title>');
  expect(html).toMatch(/<link rel="stylesheet" href="_assets\/style\.[0-9a-f]+\.css">/);
});

test('the curl that it prints publishes a change', async () => {
  const commands = printed.match(/curl -sS [^\n]*&&\n\s*curl -sS [^\n]*/)![0];
  execFileSync('bash', ['-ec', commands], { cwd: checkout, env });
  await eventually('the change is live', async () => {
    const reply = await fetch(`http://localhost:${edgePort}/sites/demo/posts/written-with-curl/`);
    return reply.status === 200;
  });
});

// rule: service.1
test(
  'the walk with curl ends at a live page',
  async () => {
    await removeSite('walk');
    const output = await runBlocks(runnable('README.md').map(here), checkout, {});
    expect(output).toContain('<p>Hello.</p>');
  },
  pageMinutesMs,
);

describe('the commands of a page work as they stand there, one after the other', () => {
  const others = pages.filter(
    (page) => page !== 'README.md' && runnable(page).some(({ language }) => language === 'sh'),
  );
  test.each(others)(
    '%s',
    async (page) => {
      const values = await valuesFor(page);
      try {
        await runBlocks(runnable(page).map(here), checkout, values);
        if (values.SITE) await runBlocks([published(page)], checkout, values);
      } finally {
        if (values.SITE) await removeSite(values.SITE);
      }
    },
    pageMinutesMs,
  );
});

/** Checks that the site which a page has created can be built. */
const published = (page: string): Block => ({
  page,
  line: 0,
  language: 'sh',
  label: '',
  text: 'fieldstone publish "$SITE" --wait',
  reason: undefined,
});

test('SIGTERM ends it with code 0', async () => {
  service.kill('SIGTERM');
  const [code] = await once(service, 'exit');
  expect(code).toBe(0);
});
