import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { removeStaleWorkFolders } from '../../../services/features/media/process/work-folder.ts';

let folder = '';
afterEach(() => rm(folder, { recursive: true, force: true }));

async function makeFolder(name: string): Promise<void> {
  folder = path.join(tmpdir(), name);
  await mkdir(path.join(folder, 'made'), { recursive: true });
}

test.each([
  ['of a process that runs stays', process.ppid, true],
  // in a container every worker has the same process id as the previous one
  ['of a worker with the number of this one goes', process.pid, false],
  ['of a process that is gone goes', 2 ** 22 + 1, false],
])('at the start of a worker, a folder %s', async (_, pid, stays) => {
  await makeFolder(`fieldstone-media-${pid}-test`);
  await removeStaleWorkFolders();
  expect(existsSync(folder)).toBe(stays);
});

test('what others keep in the temporary folder stays', async () => {
  await makeFolder(`other-${process.pid}-test`);
  await removeStaleWorkFolders();
  expect(existsSync(folder)).toBe(true);
});
