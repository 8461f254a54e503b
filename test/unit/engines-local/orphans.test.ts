import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { endOrphans, listMarkedProcesses, runMarkerVariable } from '../../../services/engines-local/orphans.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  // Ends the whole group: a shell's child would keep the pipe open.
  for (const { pid, exitCode, signalCode } of children.splice(0)) {
    if (exitCode === null && signalCode === null) process.kill(-pid!, 'SIGKILL');
  }
});

async function startMarked(marker: string, script = 'sleep 600 & echo up; wait'): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], [runMarkerVariable]: marker };
  const child = spawn('/bin/sh', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

test('what carries the marker of a folder is ended with its children, and nothing else', async () => {
  const owner = `${randomUUID()}:/data:`;
  const stranger = await startMarked(`${randomUUID()}:/data:run`);
  const orphan = await startMarked(`${owner}run-1`);
  const exited = once(orphan, 'exit');
  expect(await endOrphans(owner)).toBe(2);
  await exited;
  expect(await listMarkedProcesses(owner)).toEqual([]);
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
});

test('a process that ignores SIGTERM is killed', async () => {
  const owner = `${randomUUID()}:/data:`;
  const orphan = await startMarked(`${owner}run-1`, "trap '' TERM; echo up; while :; do sleep 0.1; done");
  const exited = once(orphan, 'exit');
  expect(await endOrphans(owner, 500)).toBeGreaterThanOrEqual(1);
  expect(await exited).toEqual([null, 'SIGKILL']);
}, 30_000);

test('without orphans there is nothing to end', async () => {
  expect(await endOrphans(`${randomUUID()}:/data:`)).toBe(0);
});
