// The part of run.ts inside the fresh checkout: visit.ts isolated|open, with FRESH_CHECKOUT, FRESH_HOME and FRESH_BIN
// in the environment.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMarkedProcesses } from '../../services/engines-local/orphans.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { untilReady } from '../harness/child.ts';
import { countForeignAttempts } from './isolation.ts';

/** Far above the time of a start (docs/performance.md), for busy machines. */
const readyMs = 180_000;
const stopMs = 60_000;
const liveMs = 60_000;

const isIsolated = process.argv[2] === 'isolated';
const { FRESH_CHECKOUT: checkout = '', FRESH_HOME: home = '', FRESH_BIN: bin = '' } = process.env;

/** In an isolated network the README's command unchanged; else with free ports. */
const flags = isIsolated
  ? []
  : ['--', '--port', String(await findFreePort()), '--edge-port', String(await findFreePort())];

interface Service {
  child: ChildProcess;
  api: string;
  demo: string;
  key: string;
}

/** Runs `npm start` until it prints `ready`. */
async function start(what: string): Promise<Service> {
  const startedMs = performance.now();
  const child = spawn(path.join(bin, 'npm'), ['start', ...flags], {
    cwd: checkout,
    // npm itself sometimes asks the registry for a newer npm
    env: { PATH: bin, HOME: home, NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, as in a terminal
  });
  const printed = await untilReady(child, readyMs);
  process.stdout.write(`ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s ${what}\n`);
  const read = (name: string) => {
    const found = new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1];
    assert.ok(found, `It printed no line "${name}":\n${printed}`);
    return found;
  };
  return { child, api: read('API'), demo: read('Demo site'), key: read('Demo key') };
}

/**
 * Simulates Ctrl-C: every process of the group gets SIGINT. Expects that it ends by itself with code 0 and leaves no
 * process.
 */
async function stop({ child }: Service): Promise<void> {
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(stopMs) });
  process.kill(-child.pid!, 'SIGINT');
  const [code] = await ended;
  assert.equal(code, 0, `After Ctrl-C it ended with ${code}.`);
  const { instance } = JSON.parse(readFileSync(path.join(checkout, '.fieldstone/credentials.json'), 'utf8'));
  assert.deepEqual(await listMarkedProcesses(`${instance}:`), [], 'Processes are left.');
}

async function readPage(address: string): Promise<string> {
  const response = await fetch(address);
  const page = await response.text();
  assert.equal(response.status, 200, `${address}: ${response.status} ${page}`);
  return page;
}

async function call({ api, key }: Service, method: string, target: string, body?: object) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const response = await fetch(`${api}${target}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${target}: ${response.status} ${text}`);
  return JSON.parse(text).data;
}

/** Writes and publishes an article; returns its URL once it is live. */
async function publishArticle(service: Service): Promise<string> {
  const article = { title: 'Written offline', body_html: '<p>No network, no compiler.</p>', status: 'published' };
  const { slug } = await call(service, 'POST', '/sites/demo/content', article);
  await call(service, 'POST', '/sites/demo/publish');
  const address = `${service.demo.replace(/\/$/, '')}/posts/${slug}/`;
  const deadline = performance.now() + liveMs;
  while ((await fetch(address)).status !== 200) {
    assert.ok(performance.now() < deadline, `${address} did not go live.`);
    await sleep(200);
  }
  return address;
}

const first = await start('on a new data folder');
let second: Service | undefined;
try {
  assert.match(await readPage(first.demo), /<title>Cairn &amp; Post<\/title>/);
  const address = await publishArticle(first);
  const before = {
    pages: await Promise.all([first.demo, address].map(readPage)),
    site: await call(first, 'GET', '/sites/demo'),
  };
  await stop(first);
  second = await start('on an old one');
  assert.equal(second.key, first.key);
  const after = {
    pages: await Promise.all([first.demo, address].map(readPage)),
    site: await call(second, 'GET', '/sites/demo'),
  };
  assert.deepEqual(after, before);
  await stop(second);
} finally {
  for (const { child } of [first, second].filter((one) => one !== undefined))
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
}
if (isIsolated) assert.equal(countForeignAttempts(), 0, 'Something tried to reach a foreign host or a name server.');
process.stdout.write('npm start reached the live demo site, and a second start found everything as it was\n');
