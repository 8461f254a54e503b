import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually } from '../harness/api.ts';

const root = path.join(import.meta.dirname, '..', '..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const startMinutesMs = 300_000;
const env = { ...process.env, NODE_OPTIONS: '' };

let data: string;
let port: number;
let edgePort: number;
let service: ChildProcess;
let printed = '';

/** The README's own words, on this test's ports and data folder. */
function here(script: string): string {
  return script
    .replaceAll('localhost:8080', `localhost:${port}`)
    .replaceAll('localhost:8081', `localhost:${edgePort}`)
    .replace('keys create', `keys create --data ${data}`);
}

function codeBlock(containing: string): string {
  const block = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map((match) => match[1]!)
    .find((text) => text.includes(containing));
  if (!block) throw new Error(`The README has no block with ${containing}.`);
  return block;
}

beforeAll(async () => {
  data = mkdtempSync(path.join(os.tmpdir(), 'fieldstone-readme-'));
  [port, edgePort] = [await findFreePort(), await findFreePort()];
  const command = codeBlock('npm start').trim().split('&& ')[1]!;
  expect(command).toBe('npm start');
  const flags = ['--', '--data', data, '--port', String(port), '--edge-port', String(edgePort)];
  service = spawn('npm', ['start', ...flags], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  service.stdout!.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  await eventually('the service is ready', async () => /^ready$/m.test(printed), startMinutesMs);
}, startMinutesMs);

afterAll(async () => {
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  rmSync(data, { recursive: true, force: true });
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
  execFileSync('bash', ['-ec', commands], { cwd: root, env });
  await eventually('the change is live', async () => {
    const reply = await fetch(`http://localhost:${edgePort}/sites/demo/posts/written-with-curl/`);
    return reply.status === 200;
  });
});

test('the walk with curl ends at a live page', async () => {
  execFileSync('bash', ['-ec', here(codeBlock('KEY=$(npm'))], { cwd: root, env });
  const page = `http://localhost:${edgePort}/sites/walk/posts/first-steps/`;
  const html = await eventually('the article is live', () =>
    fetch(page).then((reply) => (reply.ok ? reply.text() : undefined)),
  );
  expect(html).toContain('<p>Hello.</p>');
});

test('SIGTERM ends it with code 0', async () => {
  service.kill('SIGTERM');
  const [code] = await once(service, 'exit');
  expect(code).toBe(0);
});
