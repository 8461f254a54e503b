import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSandboxProcess, type SandboxProcess } from '../../../services/engines/sandbox/process.ts';
import { SandboxError } from '../../../services/engines/sandbox/sandbox-error.ts';

const entry = path.join(import.meta.dirname, 'fixture-child.ts');
const timeoutMs = 30_000;

async function failureOf(call: Promise<unknown>): Promise<SandboxError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof SandboxError) return error;
    throw error;
  }
  throw new Error('The call did not fail.');
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

let sandbox: SandboxProcess;
const call = <T>(method: string, payload: unknown = {}) => sandbox.call<T>(method, payload, { timeoutMs });

beforeAll(() => {
  process.env['SANDBOX_TEST_SECRET'] = 'secret';
  sandbox = createSandboxProcess({ entry, memoryMb: 96 });
});

afterAll(async () => {
  await sandbox.stop();
});

test('values cross the boundary with their types', async () => {
  const value = {
    list: [1, 'two', null],
    map: new Map([['a', new Date(5)]]),
    bytes: new Uint8Array([1, 2]),
    big: 2n ** 70n,
  };
  const back = await call<typeof value>('echo', value);
  expect(back.map.get('a')?.getTime()).toBe(5);
  expect([...back.bytes]).toEqual([1, 2]);
  expect({ list: back.list, big: back.big }).toEqual({ list: value.list, big: value.big });
}, 60_000);

test('a megabyte goes in and out', async () => {
  const text = 'é'.repeat(1_000_000);
  expect(await call('echo', text)).toBe(text);
}, 60_000);

test('calls are answered one at a time and in order', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_item, index) => call('echo', index)));
  expect(answers).toEqual(Array.from({ length: 20 }, (_item, index) => index));
}, 60_000);

test('a template error arrives whole', async () => {
  const error = await failureOf(call('render', { source: 'one\n{{ x|nope }}' }));
  expect(error.code).toBe('template');
  expect(error.templateError).toMatchObject({ kind: 'syntax', template: 'page', line: 2, column: 6 });
}, 60_000);

test('another error keeps its message and its details', async () => {
  const error = await failureOf(call('fail'));
  expect({ code: error.code, message: error.message, details: error.details }).toEqual({
    code: 'failed',
    message: 'no',
    details: { why: 'because' },
  });
  expect((await failureOf(call('constructor'))).code).toBe('failed');
}, 60_000);

// rule: threat.22
test('a call is told what it has used: neither the start of the process, nor waiting', async () => {
  const fresh = createSandboxProcess({ entry, memoryMb: 64 });
  const used: number[] = [];
  const onUsed = (ms: number) => void used.push(ms);
  await fresh.call('rest', { ms: 1000 }, { timeoutMs, onUsed });
  await fresh.call('compute', { ms: 200 }, { timeoutMs, onUsed });
  await fresh.stop();
  const [resting, computing] = used as [number, number];
  // systems that do not report processor time count the elapsed time
  if (process.platform === 'linux') expect(resting).toBeLessThan(500);
  expect(computing).toBeGreaterThanOrEqual(180);
}, 60_000);

describe('a process that fails is replaced', () => {
  test('past its time it is killed', async () => {
    const before = await call<number>('pid');
    const error = await failureOf(sandbox.call('spin', {}, { timeoutMs: 200 }));
    expect(error.code).toBe('timeout');
    const after = await call<number>('pid');
    expect(after).not.toBe(before);
    expect(isAlive(before)).toBe(false);
  }, 60_000);

  test('past its processor time it is killed, long before its time is over', async () => {
    let usedMs = 0;
    const limits = { timeoutMs, processorMs: 300, onUsed: (ms: number) => (usedMs = ms) };
    const error = await failureOf(sandbox.call('spin', {}, limits));
    expect([error.code, error.message]).toEqual(['timeout', expect.stringContaining('300 ms of processor time')]);
    expect(usedMs).toBeGreaterThanOrEqual(300);
    expect(await call('echo', 1)).toBe(1);
  }, 60_000);

  test('out of memory', async () => {
    expect((await failureOf(call('eat'))).code).toBe('memory');
    expect(await call('echo', 1)).toBe(1);
  }, 60_000);

  test('killed from outside', async () => {
    expect((await failureOf(call('die'))).code).toBe('crashed');
    expect(await call('echo', 1)).toBe(1);
  }, 60_000);

  test('an entry that does not exist or does not load', async () => {
    const missing = createSandboxProcess({ entry: path.join(import.meta.dirname, 'process.test.ts'), memoryMb: 64 });
    expect((await failureOf(missing.call('echo', 1, { timeoutMs }))).code).toBe('unstarted');
    await missing.stop();
  }, 60_000);
});

describe('the process can do nothing but compute', () => {
  test('its environment is empty', async () => {
    expect(await call('env')).toEqual({});
  }, 60_000);

  // rule: threat.17
  test.each(['/etc/passwd', '/proc/self/environ', '/proc/1/environ', '/root/.bashrc'])(
    'it cannot read %s',
    async (file) => {
      expect(await call('readFile', { path: file })).toBe('ERR_ACCESS_DENIED');
    },
    60_000,
  );

  test('it cannot write, not even beside its code', async () => {
    expect(await call('writeFile', { path: '/tmp/sandbox-test' })).toBe('ERR_ACCESS_DENIED');
    expect(await call('writeFile', { path: entry })).toBe('ERR_ACCESS_DENIED');
  }, 60_000);

  test('it starts no process and no thread', async () => {
    expect(await call('spawnProcess')).not.toBe('allowed');
    expect(await call('startThread')).not.toBe('allowed');
  }, 60_000);

  // rule: threat.17
  test('it reaches no listener on this machine', async () => {
    let connections = 0;
    const server = createServer(() => connections++).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    expect(await call('connect', { port })).not.toBe('allowed');
    expect(await call('fetchPage', { url: `http://127.0.0.1:${port}/` })).not.toBe('allowed');
    expect(connections).toBe(0);
    server.close();
  }, 60_000);

  test('where namespaces are permitted it sees no network at all', async () => {
    const interfaces = await call<string[]>('interfaces');
    expect(sandbox.hasNetworkNamespace() ? interfaces : []).toEqual([]);
  }, 60_000);

  test('isolates run in it', async () => {
    expect(await call('isolate')).toBe(42);
  }, 60_000);
});

test('a regular expression that backtracks without end is finished or cut off', async () => {
  const source = '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" matches "/^(a+)+$/" }}';
  expect(await call('render', { source })).toBe('0');
  const hard = '{{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" matches "/^(?=(a+)+b)(a+)+$/" }}';
  expect(['timeout', 'none']).toContain(
    await sandbox.call('render', { source: hard }, { timeoutMs: 500 }).then(
      () => 'none',
      (error: SandboxError) => error.code,
    ),
  );
  expect(await call('echo', 1)).toBe(1);
}, 60_000);

test('stopping rejects what waits and what comes', async () => {
  const stopped = createSandboxProcess({ entry, memoryMb: 64 });
  const pid = await stopped.call<number>('pid', {}, { timeoutMs });
  const running = failureOf(stopped.call('spin', {}, { timeoutMs }));
  const waiting = failureOf(stopped.call('echo', 1, { timeoutMs }));
  await stopped.stop();
  expect([(await running).code, (await waiting).code]).toEqual(['stopped', 'stopped']);
  expect((await failureOf(stopped.call('echo', 1, { timeoutMs }))).code).toBe('stopped');
  expect(isAlive(pid)).toBe(false);
}, 60_000);

test('a process at rest ends, and comes back when called', async () => {
  const resting = createSandboxProcess({ entry, memoryMb: 64, idleMs: 50 });
  const pid = await resting.call<number>('pid', {}, { timeoutMs });
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await resting.call('echo', 1, { timeoutMs })).toBe(1);
  await resting.stop();
}, 60_000);
