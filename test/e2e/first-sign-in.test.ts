import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { readRunSettings } from '../../services/cli/up/run-settings.ts';
import { endChild, untilReady } from '../harness/child.ts';
import { freshPorts } from '../harness/installation.ts';
import { runs, testWith } from '../harness/programs.ts';

const program = path.resolve('services/cli/fieldstone.js');
const data = mkdtempSync(path.join(tmpdir(), 'fieldstone-first-'));
const startMs = 300_000;
/** Runs a command on a terminal of its own (util-linux). */
const test = testWith('script', runs(['script', '-qec', 'true', '/dev/null']));

let up: ChildProcess | undefined;
async function stop(): Promise<void> {
  const run = readRunSettings(data);
  if (!up || !run) return;
  const ended = new Promise((resolve) => up!.once('exit', resolve));
  process.kill(run.pid, 'SIGTERM');
  await ended;
}
afterAll(async () => {
  await stop();
  if (up) await endChild(up);
  rmSync(data, { recursive: true, force: true });
});

/** Every file below a folder that can be read as text, but for the database's own. */
function readFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('postgres'))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
}

test('on a terminal, up prints a link that signs the first administrator in, and keeps it in no file', async () => {
  const { port, edgePort } = await freshPorts();
  const flags = `--data '${data}' --port ${port} --edge-port ${edgePort}`;
  const command = `'${process.execPath}' '${program}' up ${flags}`;
  up = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = await untilReady(up, startMs);
  expect(printed).toContain('Sign in as admin@localhost');
  const [, token] = /\/dashboard\/link#([\w-]{43})/.exec(printed)!;

  const origin = `http://localhost:${port}`;
  const accepted = await fetch(`${origin}/dashboard/api/links/accept`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ token }),
  });
  expect(await accepted.json()).toEqual({ success: true, data: { next: 'done' } });
  const me = await fetch(`${origin}/dashboard/api/me`, {
    headers: { Cookie: accepted.headers.getSetCookie()[0]!.split(';')[0]! },
  });
  expect(await me.json()).toMatchObject({ data: { email: 'admin@localhost', administrator: true } });
  expect(readFiles(data).filter((text) => text.includes(token!))).toEqual([]);
});
