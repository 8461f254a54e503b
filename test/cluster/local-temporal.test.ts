import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { listMarkedProcesses } from '../../services/engines-local/orphans.ts';
import { eventually } from '../harness/api.ts';
import { endChild } from '../harness/child.ts';

// starts what `fieldstone up --temporal` starts, without the service
const runner = path.resolve('test/harness/run-local-engines.ts');
let folder: string;
let current: ChildProcess;
let settings: Record<string, string>;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-temporal-'));
});
afterAll(async () => {
  if (current) await endChild(current);
  rmSync(folder, { recursive: true, force: true });
});

async function startEngines(): Promise<void> {
  current = spawn(process.execPath, [runner, folder, '--temporal'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: current.stdout! }), 'line')) as [string];
  settings = JSON.parse(line);
  expect(settings['error']).toBeUndefined();
}

const marker = () => `${JSON.parse(readFileSync(path.join(folder, 'credentials.json'), 'utf8')).instance}:`;

async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: settings['TEMPORAL_ADDRESS']! });
  try {
    return await work(new Client({ connection, namespace: settings['TEMPORAL_NAMESPACE']! }));
  } finally {
    await connection.close();
  }
}

const statusOf = (id: string) =>
  withClient(async (client) => (await client.workflow.getHandle(id).describe()).status.name);

/** Starts an actor for a queue that no worker polls. */
const startActor = (id: string) =>
  withClient((client) =>
    client.workflow.signalWithStart('actor', { workflowId: id, taskQueue: 'nobody', signal: 'wake', signalArgs: [] }),
  );

test('once it answers, it takes the wake of an actor', async () => {
  await startEngines();
  expect(settings['TEMPORAL_ADDRESS']).toMatch(/^127\.0\.0\.1:\d+$/);
  await startActor('first');
  expect(await statusOf('first')).toBe('RUNNING');
}, 900_000);

test('killed, it is started again on its port with what it had accepted', async () => {
  const port = settings['TEMPORAL_ADDRESS']!.split(':')[1]!;
  const [pid] = (await listMarkedProcesses(marker())).filter((one) => {
    const command = readFileSync(`/proc/${one}/cmdline`, 'utf8').split('\0');
    return command.includes('--port') && command.includes(port);
  });
  process.kill(pid!, 'SIGKILL');
  await eventually('it answers again', async () => (await statusOf('first').catch(() => '')) === 'RUNNING');
}, 120_000);

test('it ends with a parent that is killed, and starts again with what it had accepted', async () => {
  await startActor('second');
  const before = settings;
  await endChild(current, 'SIGKILL');
  await eventually('nothing is left', async () => (await listMarkedProcesses(marker())).length === 0);
  await startEngines();
  expect(settings).toEqual(before);
  expect(await statusOf('second')).toBe('RUNNING');
}, 120_000);

test('stopping leaves no process behind', async () => {
  expect(await endChild(current)).toBe(0);
  expect(await listMarkedProcesses(marker())).toEqual([]);
}, 60_000);
