import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type ProcessEvent, type ProcessSpec, superviseProcess } from '../../../services/engines-local/supervise.ts';

function specify(script: string, changes: Partial<ProcessSpec> = {}): ProcessSpec {
  return {
    name: 'sample',
    command: '/bin/sh',
    args: ['-c', script],
    env: { PATH: process.env['PATH'] ?? '' },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5000,
    readyTimeoutMs: 60_000,
    isReady: async () => true,
    ...changes,
  };
}

function createHost() {
  const lines: string[] = [];
  const events: ProcessEvent[] = [];
  const abort = new AbortController();
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  return { log, lines, events, abort, signal: abort.signal, onEvent: (event: ProcessEvent) => void events.push(event) };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !condition(); tries++) await sleep(50);
}

test('a process that ends by itself is started again', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fs-supervise-'));
  const flag = path.join(folder, 'die');
  const script = `while [ ! -e ${flag} ]; do sleep 0.05; done; rm ${flag}; exit 3`;
  const host = createHost();
  const supervised = await superviseProcess(specify(script), host);
  expect(supervised.isUp()).toBe(true);
  writeFileSync(flag, '');
  await until(() => host.events.some(({ state }) => state === 'ready'));
  expect(host.events.map(({ state }) => state)).toEqual(['exited', 'ready']);
  expect(host.events[0]!.detail).toContain('ended with code 3');
  await supervised.stop();
  expect(supervised.isUp()).toBe(false);
  expect(existsSync(flag)).toBe(false);
  rmSync(folder, { recursive: true });
});

test('a process that never becomes ready is given up, with its last words', async () => {
  const host = createHost();
  const attempt = superviseProcess(specify('echo cannot bind; exit 1', { isReady: async () => false }), host);
  await expect(attempt).rejects.toThrow(/sample ended with code 1.*cannot bind/s);
  expect(host.lines.join('').match(/cannot bind/g)).toHaveLength(3);
});

test('one that cannot be executed is named', async () => {
  const spec = specify('', { command: '/nowhere/engine', isReady: async () => false });
  await expect(superviseProcess(spec, createHost())).rejects.toThrow(/could not be started.*ENOENT/);
});

test('stopping kills what does not stop in its time', async () => {
  const host = createHost();
  const spec = specify("trap '' TERM; echo up; while :; do sleep 0.1; done", {
    stopTimeoutMs: 200,
    isReady: async () => host.lines.join('').includes('up'),
  });
  const supervised = await superviseProcess(spec, host);
  await supervised.stop();
  expect(supervised.isUp()).toBe(false);
  expect(host.events).toEqual([]);
});

test('an abort ends a start that is under way', async () => {
  const host = createHost();
  const attempt = superviseProcess(specify('sleep 600', { isReady: async () => false }), host);
  host.abort.abort();
  await expect(attempt).rejects.toThrow('was stopped while it started');
});
