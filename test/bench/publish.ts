/**
 * Measures the time from `POST publish` until the edge serves the change, in a site of 1,000 posts, and the first full
 * build of them; then the memory of all of Fieldstone's own processes when idle. One `fieldstone up`, limits off. Run:
 * node test/bench/publish.ts
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { figure } from './report/figure.ts';

const posts = 1000;
const changes = 9;
const idleMs = 75_000;
const launcher = path.join(import.meta.dirname, '..', '..', 'services', 'cli', 'fieldstone.js');
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const data = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-publish-'));
const [port, edgePort] = [await findFreePort(), await findFreePort()];
const env = { ...process.env, FIELDSTONE_RATE_LIMIT_IP: '0', FIELDSTONE_RATE_LIMIT_KEY: '0' };
const flags = ['--data', data, '--port', String(port), '--edge-port', String(edgePort), '--json'];
const up = spawn(process.execPath, ['--max-semi-space-size=2', launcher, 'up', ...flags], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const edge = `http://localhost:${edgePort}/sites/bench`;
let key = '';

async function api<T>(method: string, route: string, body?: object): Promise<T> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const reply = await fetch(`http://localhost:${port}/api/v1${route}`, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const { data: result, error } = (await reply.json()) as { data: T; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

/** Publishes and waits until the page contains the text; returns the milliseconds from the request. */
async function publishUntilSeen(page: string, text: string): Promise<number> {
  const startedAt = performance.now();
  await api('POST', '/sites/bench/publish');
  for (;;) {
    const reply = await fetch(edge + page);
    if ((await reply.text()).includes(text)) return performance.now() - startedAt;
    await sleep(10);
  }
}

/** Returns the resident memory of a process and its Fieldstone descendants, without engines, in megabytes. */
function ownMegabytes(pid: number): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const family = new Set([String(pid)]);
  for (let grown = 0; grown !== family.size; ) {
    grown = family.size;
    for (const [child = '', parent = ''] of rows) if (family.has(parent)) family.add(child);
  }
  const ours = rows.filter(([id = '', , , program = '']) => family.has(id) && /(^|\/)node$/.test(program));
  return ours.reduce((sum, [, , rss]) => sum + Number(rss), 0) / 1024;
}

try {
  await new Promise<void>((resolve) =>
    up.stdout!.on('data', (chunk: Buffer) => /ready/.test(chunk.toString()) && resolve()),
  );
  const made = execFileSync(
    process.execPath,
    [launcher, 'keys', 'create', '--name', 'b', '--scopes', 'admin', '--sites', '*', '--data', data, '--json'],
    { encoding: 'utf8' },
  );
  key = (JSON.parse(made) as { key: string }).key;
  await api('POST', '/sites', { name: 'Bench', slug: 'bench' });
  const body = `<h2>A heading</h2>${'<p>Some words of a paragraph that is as long as most are, more or less. </p>'.repeat(12)}`;
  let id = '';
  for (let n = 0; n < posts; n += 100) {
    const items = Array.from({ length: 100 }, (_, i) => ({
      title: `Post ${n + i}`,
      body_html: body,
      status: 'published',
      tags: ['a'],
    }));
    const { results } = await api<{ results: { data: { id: string } }[] }>('POST', '/sites/bench/content/batch', {
      items,
    });
    id ||= results[0]!.data.id;
  }
  const fullBuildMs = await publishUntilSeen('/posts/post-0/', 'Some words');
  figure(`first full build of ${posts} posts, until served`, `${(fullBuildMs / 1000).toFixed(2)} s`, '< 10 s');
  const times: number[] = [];
  for (let n = 0; n < changes; n++) {
    await api('PATCH', `/sites/bench/content/${id}`, { body_html: `<p>Change number ${n}.</p>` });
    times.push(await publishUntilSeen('/posts/post-0/', `Change number ${n}.`));
  }
  figure(
    'one-page change, POST publish until served',
    `median ${median(times).toFixed(0)} ms of ${changes}`,
    '< 1.5 s',
  );
  await sleep(idleMs);
  figure("idle, all of Fieldstone's own processes", `${ownMegabytes(up.pid!).toFixed(0)} MB RSS`, '< 600 MB');
} finally {
  up.kill('SIGTERM');
  await new Promise((resolve) => up.once('exit', resolve));
  rmSync(data, { recursive: true, force: true });
}
