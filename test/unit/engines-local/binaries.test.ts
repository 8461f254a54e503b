import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findBinary, locateCache } from '../../../services/engines-local/binaries.ts';
import { temporalBinary } from '../../../services/engines-local/engine-binary.ts';
import { cachedFile } from '../../../services/engines-local/go-build.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fs-binaries-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeProgram(file: string, version: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho '${version}'\n`, { mode: 0o755 });
  return file;
}

const silent = () => {};

test('a program on PATH is used when it says that it is the engine', async () => {
  const file = writeProgram(path.join(folder, 'bin', 'temporal'), 'temporal version 1 (Server 1)');
  const env = { PATH: path.join(folder, 'bin'), FIELDSTONE_CACHE: path.join(folder, 'cache') };
  expect(await findBinary(temporalBinary, env, silent)).toBe(file);
});

test('another program of that name on PATH is passed over for the cache', async () => {
  writeProgram(path.join(folder, 'bin', 'temporal'), 'temporal logic checker 2');
  const env = { PATH: path.join(folder, 'bin'), FIELDSTONE_CACHE: path.join(folder, 'cache') };
  const cached = writeProgram(cachedFile(temporalBinary, locateCache(env)), 'temporal version 1 (Server 1)');
  expect(await findBinary(temporalBinary, env, silent)).toBe(cached);
});

test('with neither program, cache nor Go, one sentence says what to do', async () => {
  const env = { PATH: folder, FIELDSTONE_CACHE: path.join(folder, 'cache') };
  await expect(findBinary({ ...temporalBinary, releases: {} }, env, silent)).rejects.toThrow(
    /install Go.*on PATH.*TEMPORAL_ADDRESS/,
  );
});

test('a build that fails says what Go said, and leaves nothing behind that would be taken for the engine', async () => {
  writeFileSync(path.join(folder, 'go'), "#!/bin/sh\necho 'go: no such module' >&2\nexit 1\n", { mode: 0o755 });
  const env = { PATH: folder, FIELDSTONE_CACHE: path.join(folder, 'cache') };
  await expect(findBinary({ ...temporalBinary, releases: {} }, env, silent)).rejects.toThrow(
    /go: no such module.*TEMPORAL_ADDRESS/,
  );
  await expect(findBinary({ ...temporalBinary, releases: {} }, env, silent)).rejects.toThrow(/go: no such module/);
});

test('the cache lies in the home cache unless told otherwise, and each engine has a place of its own in it', () => {
  expect(locateCache({ FIELDSTONE_CACHE: '/c' })).toBe('/c');
  expect(locateCache({ XDG_CACHE_HOME: '/x' })).toBe('/x/fieldstone/engines');
  expect(cachedFile(temporalBinary, '/c')).toMatch(/^\/c\/temporal-[0-9a-f]{16}\/temporal$/);
});
