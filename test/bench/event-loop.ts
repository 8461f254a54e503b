/**
 * Measures how long the event loop of a gateway is blocked while large bodies of every route arrive (issue: The event
 * loop; the aim is less than 50 ms at the 99th percentile), and the cost of fifty readers of one item of 20 MiB. A
 * probe runs inside a separate gateway, which is started as `fieldstone up` does. Needs a stack, which `npm run bench
 * -- event-loop` provides. ROUNDS=1 for a short run.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { planRole } from '../../services/cli/up/roles.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, eventually, makeKey, makeSite, stack } from '../harness/api.ts';
import { makeTar } from '../harness/archives.ts';
import type { Look } from './event-loop/probe.ts';
import { figure } from './report/figure.ts';

const rounds = Number(process.env['ROUNDS'] ?? 4);
const readers = 50;
const aimMs = 50;
const probe = path.join(import.meta.dirname, 'event-loop', 'probe.ts');
const mebibyte = 1024 * 1024;
const fill = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));

interface Load {
  name: string;
  method: string;
  path: string;
  body: string | Uint8Array<ArrayBuffer>;
}

const json = (name: string, method: string, path: string, body: object | string): Load => ({
  name,
  method,
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const raw = (name: string, method: string, path: string, body: Buffer): Load => ({
  name,
  method,
  path,
  body: new Uint8Array(body),
});

const maxJson = 4_190_000;
const maxPart = 262_000;
const manyFiles = Array.from({ length: 1_900 }, (_, n) => [{ name: `${fill('x', 230)}${n}.css` }, 'a{}'] as const);
const largeFiles = Array.from({ length: 12 }, (_, n) => [{ name: `f${n}.css` }, fill(`a${n}{}`, 4_990_000)] as const);

const loads: Load[] = [
  json('an item of ampersands', 'POST', '/content', { title: 'A', body_html: fill('&', maxJson) }),
  json('an item of tags', 'POST', '/content', { title: 'B', body_html: fill('<b title="x">&</b>', 3_500_000) }),
  json('an item of comments', 'POST', '/content', { title: 'C', body_html: fill('<!--x-->', maxJson) }),
  raw(
    'an item that is not UTF-8',
    'POST',
    '/content',
    Buffer.concat([Buffer.from('{"title":"D","body_html":"'), Buffer.alloc(maxJson, 0xff), Buffer.from('"}')]),
  ),
  json('a batch of a hundred', 'POST', '/content/batch', {
    items: Array.from({ length: 100 }, (_, n) => ({ title: `E ${n}`, body_html: fill('<i>&</i>', 40_000) })),
  }),
  json(
    'members that nobody knows',
    'POST',
    '/content',
    `{${Array.from({ length: 34_900 }, (_, n) => `"k${n}${fill('x', 100)}":0`).join(',')}}`,
  ),
  json('settings', 'PATCH', '', {
    settings: Object.fromEntries(Array.from({ length: 34_900 }, (_, n) => [`k${n}`, 0])),
  }),
  json('a domain', 'PATCH', '', { domain: fill('a.', maxJson) }),
  json('a redirect', 'POST', '/redirects', { from: '/x', to: `https://${fill('a.', maxJson)}` }),
  json('a script', 'POST', '/scripts', { name: 'x', code: fill('a();', 999_000) }),
  json('a style sheet', 'PUT', '/components/a', { type: 'html', source_code: 'x', css: fill(':root a{b:c}', maxPart) }),
  json('refused rules', 'PUT', '/components/b', { type: 'html', source_code: 'x', css: fill('@import "x";', maxPart) }),
  json('a React component', 'PUT', '/components/c', {
    type: 'react',
    source_code: `export default function A(){return <b>${fill('<i/>', maxPart - 100)}</b>}`,
  }),
  json('a schema', 'PUT', '/components/d', {
    type: 'html',
    source_code: 'x',
    variables_schema: { type: 'object', properties: { a: { enum: Array.from({ length: 11_000 }, (_, n) => n) } } },
  }),
  raw('a template', 'PUT', '/shell/file/a.twig', Buffer.from(fill('{{ a }}', 4_990_000))),
  raw('a file', 'PUT', '/shell/file/a.png', randomBytes(5_000_000)),
  raw(
    'an archive of many files',
    'POST',
    '/shell/archive?mode=merge',
    await makeTar(manyFiles.map(([a, b]) => [a, b])),
  ),
  raw(
    'an archive that unpacks to 60 MB',
    'POST',
    '/shell/archive?mode=merge',
    gzipSync(await makeTar(largeFiles.map(([a, b]) => [a, b]))),
  ),
  raw('no archive', 'POST', '/shell/archive', randomBytes(32 * mebibyte)),
];

async function startGateway() {
  const [port, opsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const settings = { ...stack.env, FIELDSTONE_TEST_SQL_LOG: '', FIELDSTONE_PORT: String(port) };
  const role = planRole('gateway', settings, opsPort);
  const child = spawn(role.command, ['--import', probe, ...role.args], {
    env: role.env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await eventually('the gateway is ready', () => role.isReady().catch(() => false));
  return { child, origin: `http://127.0.0.1:${port}`, ops: `http://127.0.0.1:${opsPort}` };
}

const { child, origin, ops } = await startGateway();
const site = await makeSite();

/** Returns what the gateway's loop did since the last call. */
async function look(): Promise<Look> {
  child.send('look');
  const [found] = (await once(child, 'message')) as [Look];
  return found;
}

async function residentMiB(): Promise<number> {
  const text = await (await fetch(`${ops}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1]) / mebibyte;
}

async function send({ method, path, body }: Load, key: string): Promise<number> {
  const url = `${origin}/api/v1/sites/${site.slug}${path}`;
  const reply = await fetch(url, { method, body, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } });
  await reply.arrayBuffer();
  return reply.status;
}

const shown = ({ delayP99Ms, delayMaxMs, busyP99Ms, busyMaxMs }: Look) =>
  `delay p99 ${delayP99Ms.toFixed(0)} ms, at most ${delayMaxMs.toFixed(0)}; processor's time in one go p99 ${busyP99Ms.toFixed(0)} ms, at most ${busyMaxMs.toFixed(0)}`;

try {
  for (const load of loads) {
    await look();
    const status = await send(load, site.key);
    console.log(`${load.name}: ${status}, ${shown(await look())}`);
  }

  const keys = await Promise.all(Array.from({ length: 4 }, () => makeKey()));
  await look();
  await Promise.all(
    keys.map(async (key, turn) => {
      for (let n = 0; n < rounds * loads.length; n++) await send(loads[(n + 5 * turn) % loads.length]!, key);
    }),
  );
  const what = `event loop of the gateway while ${keys.length} keys send large bodies to every route`;
  figure(what, shown(await look()), `delay p99 < ${aimMs} ms`);

  const made = await fetch(`${origin}/api/v1/sites/${site.slug}/content`, {
    method: 'POST',
    headers: { 'X-API-Key': site.key, 'Content-Type': 'application/json' },
    body: String(loads[0]!.body),
  });
  const { data } = (await made.json()) as { data: { id: string } };
  await sleep(2_000);
  const before = await residentMiB();
  let peak = before;
  await look();
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentMiB());
      await sleep(200);
    }
  })();
  await Promise.all(
    Array.from({ length: readers }, async () => {
      const options = { headers: { 'X-API-Key': site.key }, agent: false };
      const [reply] = await once(get(`${origin}/api/v1/sites/${site.slug}/content/${data.id}`, options), 'response');
      if (reply.statusCode !== 200) throw new Error(`The item answered ${reply.statusCode}.`);
      for await (const _ of reply);
    }),
  );
  isOver = true;
  await watch;
  figure(
    `memory of the gateway while ${readers} read an item of 20 MiB at once`,
    `+${(peak - before).toFixed(0)} MiB; event loop: ${shown(await look())}`,
    '–',
  );
} finally {
  child.kill('SIGTERM');
  await once(child, 'exit');
  await closeStack();
}
