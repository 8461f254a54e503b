/**
 * Compares requests per second of the edge and of a bare node:http server that serves the same page from memory: same
 * run, same load, alternating. Prints each round and the ratio of the medians; the aim is at least 0.9 (issue: Speed
 * and memory). Reports nginx with the same page beside it. Run: node test/bench/edge.ts
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { seedRelease, seedSite } from '../harness/seed-release.ts';
import { startEdgeEngines } from './edge/engines.ts';
import { startNginx } from './edge/nginx.ts';
import { figure } from './report/figure.ts';

const rounds = 5;
const roundSeconds = 3;
const connections = 16;
const root = path.join(import.meta.dirname, '..', '..');
const slug = 'bench';
const page = `<!doctype html><title>Bench</title>${'<p>A paragraph of a page of some kilobytes.</p>\n'.repeat(200)}`;

const children: ChildProcess[] = [];

function run(script: string, args: string[], env: Record<string, string>, stdout: 'pipe' | 'inherit'): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env,
    stdio: ['ignore', stdout, 'inherit'],
  });
  children.push(child);
  return child;
}

/**
 * A server under test. Its CPU time is measured too, because the load generator shares the machine and may be the
 * bottleneck.
 */
interface Subject {
  pid: number;
  url: string;
  rates: number[];
  cpuMicros: number[];
}

const clockTicksPerSecond = 100;

function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
}

async function startBare(): Promise<Subject> {
  const bare = run('test/bench/edge/bare.ts', [Buffer.from(page).toString('base64')], {}, 'pipe');
  const [port] = (await once(bare.stdout!, 'data')) as [Buffer];
  return { pid: bare.pid!, url: `http://127.0.0.1:${port.toString().trim()}/`, rates: [], cpuMicros: [] };
}

async function startEdge(env: Record<string, string>): Promise<Subject> {
  const edge = run('services/cli/run-role.ts', ['edge'], { ...env, FIELDSTONE_LOG_LEVEL: 'warn' }, 'inherit');
  const url = `http://127.0.0.1:${env['FIELDSTONE_EDGE_PORT']}/sites/${slug}/`;
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(url).catch(() => undefined);
    if ((await response?.text()) === page) return { pid: edge.pid!, url, rates: [], cpuMicros: [] };
    await sleep(50);
  }
  throw new Error('The edge did not serve the page.');
}

async function fire(url: string, headers: Record<string, string> = {}) {
  const result = await autocannon({ url, connections, duration: roundSeconds, headers });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} bad replies, ${result.errors} errors.`);
  return result;
}

async function measure(subject: Subject, url: string, headers: Record<string, string>): Promise<void> {
  const before = readCpuSeconds(subject.pid);
  const result = await fire(url, headers);
  subject.rates.push(result.requests.average);
  subject.cpuMicros.push(((readCpuSeconds(subject.pid) - before) * 1e6) / result.requests.total);
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function compare(title: string, bare: Subject, edge: Subject, path: string, headers: Record<string, string>) {
  const pairs = [
    [bare, bare.url],
    [edge, new URL(path, edge.url).href],
  ] as const;
  for (const [subject, url] of pairs) await measure(subject, url, headers);
  for (const [subject] of pairs) Object.assign(subject, { rates: [], cpuMicros: [] });
  for (let round = 1; round <= rounds; round++) {
    for (const [subject, url] of pairs) await measure(subject, url, headers);
    console.log(`${title}, round ${round}: bare ${bare.rates.at(-1)}, edge ${edge.rates.at(-1)} requests a second`);
  }
  const [bareRate, edgeRate] = [median(bare.rates), median(edge.rates)];
  const [bareCpu, edgeCpu] = [median(bare.cpuMicros), median(edge.cpuMicros)];
  figure(
    `page ${title}, of a bare node:http server with it in memory`,
    `${(edgeRate / bareRate).toFixed(2)} (${edgeRate.toFixed(0)} of ${bareRate.toFixed(0)} requests a second)`,
    '0.9',
  );
  console.log(
    `${title}: CPU of one request: bare ${bareCpu.toFixed(1)}, edge ${edgeCpu.toFixed(1)} µs, ratio ${(bareCpu / edgeCpu).toFixed(2)}`,
  );
}

/** Reports the rate of nginx with the same page, for comparison; not an aim. */
async function compareWithNginx(bare: Subject): Promise<void> {
  const what = 'page from nginx with one worker, of the same bare node:http server';
  const nginx = await startNginx(page);
  if (typeof nginx === 'string') return figure(what, `SKIPPED: ${nginx}`);
  try {
    const rates = { nginx: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      const [bareResult, nginxResult] = [await fire(bare.url), await fire(nginx.url)];
      if (round === 0) continue; // warm-up
      rates.bare.push(bareResult.requests.average);
      rates.nginx.push(nginxResult.requests.average);
    }
    const [ours, theirs] = [median(rates.nginx), median(rates.bare)];
    figure(what, `${(ours / theirs).toFixed(2)} (${ours.toFixed(0)} of ${theirs.toFixed(0)} requests a second)`);
  } finally {
    await nginx.stop();
  }
}

const engines = await startEdgeEngines();
try {
  const db = openDatabase(engines.config);
  const siteId = await seedSite(db, slug, `${slug}.example`);
  await seedRelease({ db, objects: openObjectStore(engines.config.objects, db) }, siteId, {
    files: { '/': { body: page } },
  });
  await db.close();
  const [bare, edge] = [await startBare(), await startEdge(engines.env)];
  await compare('under /sites/', bare, edge, `/sites/${slug}/`, {});
  await compare('by domain', bare, edge, '/', { host: `${slug}.example` });
  await compareWithNginx(bare);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await engines.stop();
}
