import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findTemporal, locateCache } from '../../../services/engines-local/find-temporal.ts';
import { builtFile } from '../../../services/engines-local/go-build.ts';
import { releaseFile } from '../../../services/engines-local/release-download.ts';

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

const release = { url: 'http://127.0.0.1:9/unreachable.tar.gz', sha256: 'a'.repeat(64) };
const cli = 'temporal version 1 (Server 1)';
const server = 'fieldstone temporal server 1';

function environment(...paths: string[]) {
  return { PATH: paths.join(path.delimiter), FIELDSTONE_CACHE: path.join(folder, 'cache') };
}

test('a program on PATH is used when it says that it is the engine', async () => {
  const file = writeProgram(path.join(folder, 'bin', 'temporal'), cli);
  writeProgram(builtFile(path.join(folder, 'cache')), server);
  expect(await findTemporal(environment(path.join(folder, 'bin')), silent, release)).toEqual({ file, kind: 'cli' });
});

test('another program of that name on PATH is passed over for the cache', async () => {
  writeProgram(path.join(folder, 'bin', 'temporal'), 'temporal logic checker 2');
  const file = writeProgram(builtFile(path.join(folder, 'cache')), server);
  expect(await findTemporal(environment(path.join(folder, 'bin')), silent, release)).toEqual({ file, kind: 'server' });
});

test('a release that was downloaded before is used without a network', async () => {
  const file = writeProgram(releaseFile(release, path.join(folder, 'cache')), cli);
  expect(await findTemporal(environment(folder), silent, release)).toEqual({ file, kind: 'cli' });
});

test('with neither program, cache, network nor Go, one sentence says what to do', async () => {
  await expect(findTemporal(environment(folder), silent, release)).rejects.toThrow(
    /unreachable.tar.gz: .*on PATH.*install Go.*TEMPORAL_ADDRESS.*--temporal/,
  );
});

test('where the release cannot be had, Go builds the server once, and a later search finds it', async () => {
  const printed = `#!/bin/sh\\necho '${server}'\\n`;
  const go = `#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -o ] && printf "${printed}" > "$2"; shift; done\n`;
  writeFileSync(path.join(folder, 'go'), go, { mode: 0o755 });
  const built = await findTemporal(environment(folder, '/usr/bin', '/bin'), silent, release);
  expect(built).toEqual({ file: builtFile(path.join(folder, 'cache')), kind: 'server' });
  rmSync(path.join(folder, 'go'));
  expect(await findTemporal(environment(folder), silent, release)).toEqual(built);
});

test('a build that fails says what Go said, and leaves nothing behind that would be mistaken for the engine', async () => {
  writeFileSync(path.join(folder, 'go'), "#!/bin/sh\necho 'go: no such module' >&2\nexit 1\n", { mode: 0o755 });
  const env = environment(folder);
  await expect(findTemporal(env, silent, null)).rejects.toThrow(/go: no such module.*TEMPORAL_ADDRESS/);
  await expect(findTemporal(env, silent, null)).rejects.toThrow(/go: no such module/);
});

test('the cache lies in the home cache unless told otherwise, and each program has a place of its own in it', () => {
  expect(locateCache({ FIELDSTONE_CACHE: '/c' })).toBe('/c');
  expect(locateCache({ XDG_CACHE_HOME: '/x' })).toBe('/x/fieldstone/engines');
  expect(builtFile('/c')).toMatch(/^\/c\/temporal-server-[0-9a-f]{16}\/temporal-server$/);
  expect(releaseFile(release, '/c')).toMatch(/^\/c\/temporal-release-a{16}\/temporal$/);
});
