import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const root = path.join(import.meta.dirname, '..', '..');

test('the lock file names every package for every system, so that `npm ci` takes it', () => {
  const script = path.join(root, 'scripts', 'complete-lock.ts');
  const { status, stdout } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([stdout, status]).toEqual(['0 missing\n', 0]);
});

test('the lock file names no registry', () => {
  expect(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).not.toMatch(
    /"resolved": "(?!services\/)|https?:\/\/[^"]*\.tgz/,
  );
});
