import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { listMarkedProcesses } from '../../services/engines-local/orphans.ts';
import '../harness/retry.ts';

const runner = path.resolve('test/harness/run-local-engines.ts');
let folder: string;
let current: ChildProcess | undefined;
let settings: Record<string, string>;

beforeAll(() => {
  // mode 0700: not accessible to the user that PostgreSQL runs as
  folder = mkdtempSync(path.join(tmpdir(), 'fs-engines-'));
});
afterAll(async () => {
  if (current) await stop(current);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the engines in a child process; resolves with the first line that it prints: settings or an error. */
async function start(): Promise<{ child: ChildProcess; said: Record<string, string> }> {
  const child = spawn(process.execPath, [runner, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, said: JSON.parse(line) };
}

async function startEngines(): Promise<void> {
  const { child, said } = await start();
  expect(said['error']).toBeUndefined();
  current = child;
  settings = said;
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return (await exited)[0];
}

function readMarker(): string {
  return `${JSON.parse(readFileSync(path.join(folder, 'credentials.json'), 'utf8')).instance}:`;
}

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function expectEnginesToAnswer(): Promise<void> {
  expect(await query('SHOW default_transaction_isolation')).toEqual([
    { default_transaction_isolation: 'serializable' },
  ]);
}

test('engines start for a new folder, on loopback, with secrets that only their owner can read', async () => {
  await startEngines();
  expect(Object.keys(settings)).toEqual(['DATABASE_URL']);
  await expectEnginesToAnswer();
  await query('CREATE TABLE kept (id INT8 PRIMARY KEY)');
  await query('INSERT INTO kept VALUES (1)');
  expect(await query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([{ rolsuper: false }]);
  expect(await query('SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'credentials.json')).mode & 0o777).toBe(0o600);
}, 120_000);

test('a second run on the same folder is refused with a sentence', async () => {
  const { child, said } = await start();
  expect(said['error']).toMatch(/^Another fieldstone is running on .*--data\.$/);
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(1);
  await expectEnginesToAnswer();
});

test('the engines end with a parent that is killed, and start again with everything that was committed', async () => {
  const before = settings;
  const exited = once(current!, 'exit');
  current!.kill('SIGKILL');
  await exited;
  for (let tries = 0; tries < 150 && (await listMarkedProcesses(readMarker())).length > 0; tries++) await sleep(100);
  expect(await listMarkedProcesses(readMarker())).toEqual([]);
  await startEngines();
  expect(settings).toEqual(before);
  await expectEnginesToAnswer();
  expect(await query('SELECT id FROM kept')).toEqual([{ id: '1' }]);
}, 120_000);

test('an engine that is killed is started again on its port', async () => {
  const pid = Number.parseInt(readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  let rows: unknown[] = [];
  for (let tries = 0; tries < 300 && rows.length === 0; tries++) {
    await sleep(100);
    rows = await query('SELECT id FROM kept').catch(() => []);
  }
  expect(rows).toEqual([{ id: '1' }]);
}, 120_000);

test('stopping leaves no process behind', async () => {
  expect(await stop(current!)).toBe(0);
  expect(await listMarkedProcesses(readMarker())).toEqual([]);
}, 60_000);
