import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSandbox } from '../../../services/engines/sandbox/spawn.ts';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-dependencies-')));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Writes a package whose entry uses a dependency and returns its value. */
function writePackage(place: string): string {
  write(`${place}/package.json`, '{"type":"module"}');
  return write(`${place}/services/child.js`, "import { worth } from 'dependency'; process.send(worth);");
}

function writeDependency(place: string): void {
  write(`${place}/dependency/package.json`, '{"type":"module","exports":"./index.js"}');
  write(`${place}/dependency/index.js`, 'export const worth = 42;');
}

/** Returns the result of the entry in a sandbox, or the end of its output when it fails. */
async function run(entry: string): Promise<unknown> {
  const { child } = spawnSandbox({ entry, memoryMb: 64 });
  let output = '';
  child.stderr?.on('data', (chunk) => {
    output += String(chunk);
  });
  const said = once(child, 'message').then(([message]) => message);
  const ended = once(child, 'close').then(() => output);
  const answer = await Promise.race([said, ended]);
  child.kill('SIGKILL');
  return answer;
}

test('a checkout has its dependencies beside it', async () => {
  writeDependency('checkout/node_modules');
  expect(await run(writePackage('checkout'))).toBe(42);
}, 60_000);

test('the folder of the dependencies may be a link', async () => {
  writeDependency('elsewhere');
  const entry = writePackage('checkout');
  symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'checkout', 'node_modules'));
  expect(await run(entry)).toBe(42);
}, 60_000);

test('the package may be a dependency itself, with its own beside it', async () => {
  writeDependency('app/node_modules');
  expect(await run(writePackage('app/node_modules/the-package'))).toBe(42);
}, 60_000);

test('what is neither the package nor a dependency cannot be read', async () => {
  write('app/secret.js', 'export const worth = 1;');
  write('app/node_modules/the-package/package.json', '{"type":"module"}');
  const entry = write(
    'app/node_modules/the-package/services/child.js',
    "import { worth } from '../../../secret.js'; process.send(worth);",
  );
  expect(await run(entry)).toContain('ERR_ACCESS_DENIED');
}, 60_000);
