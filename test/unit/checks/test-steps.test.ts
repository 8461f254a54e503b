import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { steps } from '../../../scripts/test-steps/table.ts';

const script = path.resolve('scripts/test.ts');
const run = (...words: string[]) =>
  spawnSync(process.execPath, ['--no-warnings', script, ...words], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '/nowhere', HADOLINT: '/nowhere/hadolint', XDG_CACHE_HOME: '/nowhere' },
  });

test('every step has a name of its own, and says what it proves', () => {
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  expect(steps.filter(({ proves }) => proves === '')).toEqual([]);
});

test('a step tells its counts and its time, and the counts of all are the last line', () => {
  const { stdout, status } = run('specification');
  expect(stdout).toMatch(/^== specification$[\s\S]*^== specification: 1 passed, 0 failed, \d+ s$/m);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
  expect(status).toBe(0);
});

test('a step that lacks what npm does not bring is listed as skipped, right before the last line', () => {
  const { stdout, status } = run('dockerfile');
  const [skipped, empty, last] = stdout.trimEnd().split('\n').slice(-3);
  expect(skipped).toMatch(/^SKIPPED: dockerfile: hadolint needs python3/);
  expect([empty, last, status]).toEqual(['', '0 passed, 0 failed', 0]);
});

test('with --require it fails instead', () => {
  const { stdout, status } = run('dockerfile', '--require');
  expect(stdout).toMatch(/^Failed: dockerfile\nMISSING: dockerfile: hadolint needs python3/m);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
  expect(status).toBe(1);
});

test('a word that names no step is refused with those that there are', () => {
  const { stderr, status } = run('lnit');
  expect(stderr).toMatch(/^Unknown step: lnit\. Choose from quick, lint, types, /);
  expect(status).toBe(2);
});
