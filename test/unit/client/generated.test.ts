import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';

test("the client's generated files are those of the present OpenAPI document", () => {
  const root = path.join(import.meta.dirname, '..', '..', '..');
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', 'build-client.ts'), '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
