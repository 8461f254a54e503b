import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { tryLock, waitForLock } from '../../../services/core/file-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockModule = path.resolve('services/core/file-lock.ts');

/** Starts another process that acquires the lock, reports that, and holds it until it is ended. */
async function holdElsewhere(file: string) {
  const code = `const { tryLock } = await import(${JSON.stringify(lockModule)});
    const lock = tryLock(${JSON.stringify(file)}); console.log(lock ? 'held' : 'refused'); setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

test('a lock is refused while it is held and granted once it was released', () => {
  const file = path.join(folder, 'lock');
  const first = tryLock(file);
  expect(first).toBeDefined();
  expect(tryLock(file)).toBeUndefined();
  first!.release();
  const second = tryLock(file);
  expect(second).toBeDefined();
  second!.release();
});

test('a lock whose holder was killed is free again', async () => {
  const file = path.join(folder, 'lock');
  const { child, said } = await holdElsewhere(file);
  expect(said).toBe('held');
  expect(tryLock(file)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = tryLock(file);
  expect(lock).toBeDefined();
  lock!.release();
});

test('waiting for a lock ends when the holder lets go, and says that it waits', async () => {
  const file = path.join(folder, 'lock');
  const first = tryLock(file)!;
  const waits: number[] = [];
  const lock = await waitForLock(file, (seconds) => {
    waits.push(seconds);
    first.release();
  });
  expect(waits).toEqual([0]);
  lock.release();
});
