import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const launcher = path.resolve('services/cli/fieldstone.js');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-up-'));
  writeFileSync(path.join(folder, 'file'), 'mine');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Expects that `up` does not start: nothing on standard output and one line on standard error, which is returned. */
function refusalWith(exitCode: number, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'up', ...args], { encoding: 'utf8' });
  expect({ status, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
    status: exitCode,
    stdout: '',
    lines: 1,
  });
  return stderr.trim();
}

const refusal = (...args: string[]) => refusalWith(1, ...args);

test.each([
  ['a file', 'file', 'it is a file, or is below one'],
  ['a folder below a file', 'file/below', 'it is a file, or is below one'],
  ['a name that is too long', 'x'.repeat(300), 'its name is too long'],
])('a data folder that is %s is told by its path', (_what, name, reason) => {
  const data = path.join(folder, name);
  expect(refusal('--data', data)).toBe(`${data} cannot be the data folder: ${reason}. Choose another one with --data.`);
});

test.each([
  ['--port', '--edge-port'],
  ['--port', '--ops-port'],
  ['--edge-port', '--ops-port'],
])('one port for %s and %s is refused before anything is made', (first, second) => {
  const data = path.join(folder, 'not-made');
  expect(refusalWith(2, '--data', data, first, '4999', second, '4999')).toBe(
    `${first} and ${second} are both 4999: each needs a port of its own.`,
  );
  expect(existsSync(data)).toBe(false);
});

test('a port that is taken is told with its flag', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    expect(refusal('--data', path.join(folder, 'data'), '--port', '0', '--edge-port', String(port))).toBe(
      `Port ${port} is in use: stop what listens there, or choose another one with --edge-port.`,
    );
  } finally {
    server.close();
  }
});

test('objects in the MinIO of an earlier release are refused before anything is written, with the commands that convert them', () => {
  const data = path.join(folder, 'earlier');
  mkdirSync(path.join(data, 'minio'), { recursive: true });
  const start = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, [launcher, 'up', '--data', data, '--port', '4999', '--edge-port', '4998'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  const { status, stdout, stderr } = start();
  expect([status, stdout]).toEqual([1, '']);
  const lines = stderr.trim().split('\n');
  expect(lines.at(-1)).toMatch(/in a MinIO, .*nothing has been changed\.$/);
  const commands = lines.slice(0, -1).join('\n');
  expect(commands).toContain(`minio server --address 127.0.0.1:9000 '${data}/minio'`);
  expect(commands).toContain(`fieldstone objects copy --from s3 --to files --data '${data}'`);
  expect(commands).toContain(`fieldstone engines set --actors embedded --objects files --data '${data}'`);
  expect(readdirSync(data)).toEqual(['minio']);
});

test('other commands find no service on a file', () => {
  const data = path.join(folder, 'file');
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'keys', 'list', '--data', data], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([5, expect.stringContaining(`No service is running on ${data}`)]);
});
