import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const launcher = path.resolve('services/cli/fieldstone.js');

function run(...args: string[]) {
  return spawnSync(process.execPath, [launcher, ...args], { encoding: 'utf8' });
}

test('the help lists the commands', () => {
  const { status, stdout } = run('--help');
  expect(status).toBe(0);
  for (const name of ['up', 'gateway', 'worker', 'edge', 'migrate', 'keys', 'users', 'doctor'])
    expect(stdout).toContain(name);
});

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(run('--version').stdout.trim()).toBe(version);
});

test.each([['nope'], ['up', '--port', '70000'], ['up', '--bogus'], ['keys', 'create']])(
  'a wrong command line (%s %s %s) is one sentence on standard error and exit code 2',
  (...args) => {
    const { status, stdout, stderr } = run(...args.filter(Boolean));
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('see fieldstone --help');
  },
);

test('without a running service doctor says how to get one', () => {
  const { status, stdout } = run('doctor', '--json', '--data', '/nowhere/at-all');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual([
    { check: 'settings', ok: false, level: 'bad', message: expect.stringContaining('fieldstone up') },
  ]);
});
