import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clearWriting } from '../../../services/engines/objects/files/clear-writing.ts';
import { fileProblem } from '../../../services/engines/objects/files/file-error.ts';
import { watchFreeSpace } from '../../../services/engines/objects/files/free-space.ts';
import { pathOfKey } from '../../../services/engines/objects/files/paths.ts';
import { openFileStore } from '../../../services/engines/objects/files/store.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'fs-objects-'));
  folder = path.join(parent, 'objects');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const open = (minFreeBytes = 0) => openFileStore({ folder, minFreeBytes });
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const filesBelow = (top: string): string[] =>
  readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(top, path.join(entry.parentPath, entry.name)));

test('folders are closed to other users and files too, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    await open().put('packs/one', Buffer.from('x'));
  } finally {
    process.umask(before);
  }
  const file = path.join(folder, pathOfKey('packs/one'));
  expect(modeOf(file)).toBe('600');
  for (let each = path.dirname(file); each !== parent; each = path.dirname(each)) expect(modeOf(each)).toBe('700');
});

test('objects of one folder are spread over many', () => {
  const folders = new Set(Array.from({ length: 5000 }, (_, n) => path.dirname(pathOfKey(`packs/${n}`))));
  expect(folders.size).toBe(256);
});

test('a folder that has become empty goes, and the store itself stays', async () => {
  const store = open();
  await store.put('sites/a/one', Buffer.from('x'));
  await store.put('packs/two', Buffer.from('x'));
  await store.remove(['sites/a/one']);
  expect(readdirSync(folder).sort()).toEqual(['.writing', 'packs']);
  await store.remove(['packs/two']);
  expect(existsSync(folder)).toBe(true);
});

test('a reader keeps what it has begun to read when the object is replaced or removed', async () => {
  const store = open();
  const data = Buffer.alloc(1_000_000, 'a');
  await store.put('k', data);
  const stream = (await store.getStream('k'))!;
  await once(stream, 'readable');
  const first = stream.read(10) as Buffer;
  await store.put('k', Buffer.from('other'));
  await store.remove(['k']);
  expect(Buffer.concat([first, await buffer(stream)]).equals(data)).toBe(true);
});

test('a process that is killed while it writes leaves nothing that is listed or read, and the next start removes the rest', async () => {
  const program = `
    const { openFileStore } = await import(${JSON.stringify(path.resolve('services/engines/objects/files/store.ts'))});
    const store = openFileStore({ folder: ${JSON.stringify(folder)}, minFreeBytes: 0 });
    await store.put('packs/whole', Buffer.from('whole'));
    async function* endless() {
      yield Buffer.alloc(100_000);
      console.log('writing');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
    await store.putStream('packs/half', endless());`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(path.join(folder, '.writing'))).toHaveLength(1);
  const keys: string[] = [];
  for await (const { key } of open().list('')) keys.push(key);
  expect(keys).toEqual(['packs/whole']);
  expect(await open().get('packs/half')).toBeNull();
  await clearWriting(folder);
  expect(filesBelow(folder)).toEqual([pathOfKey('packs/whole')]);
  await open().put('packs/half', Buffer.from('again'));
  expect(String(await open().get('packs/half'))).toBe('again');
});

test('a write that fails leaves no temporary file', async () => {
  const failing = Readable.from(
    (async function* () {
      yield Buffer.from('some');
      throw new Error('gone');
    })(),
  );
  await expect(open().putStream('k', failing)).rejects.toThrow('gone');
  expect(filesBelow(folder)).toEqual([]);
});

describe('what the file system refuses is unavailable, and nothing wrong with the request', () => {
  test('a folder that is a file', async () => {
    writeFileSync(folder, 'mine');
    const store = open();
    for (const work of [() => store.put('k', Buffer.from('x')), () => store.get('k'), () => store.size('k')]) {
      await expect(work()).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'ENOTDIR' } });
    }
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a name in the place of an object that is a folder', async () => {
    mkdirSync(path.join(folder, pathOfKey('k')), { recursive: true });
    await expect(open().put('k', Buffer.from('x'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open().get('k')).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'EISDIR' } });
    expect(readdirSync(path.join(folder, '.writing'))).toEqual([]);
  });

  test.each(['ENOSPC', 'EDQUOT'])('no space: %s', (code) => {
    const problem = fileProblem(Object.assign(new Error('write'), { code }), 'put');
    expect(problem).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 30 });
    expect(problem.message).toMatch(/no space left/);
  });

  test.each(['EROFS', 'EACCES', 'EPERM'])('a refusal: %s', (code) => {
    const problem = fileProblem(Object.assign(new Error('write'), { code }), 'put');
    expect(problem).toMatchObject({ code: 'unavailable', status: 503, refusedAs: code });
    expect(problem.message).toMatch(/may not use the folder/);
  });

  test.each(['EIO', 'EMFILE'])('anything else: %s', (code) => {
    const problem = fileProblem(Object.assign(new Error('write'), { code }), 'put');
    expect(problem).toMatchObject({ code: 'unavailable', status: 503, cause: { code } });
    expect(problem.message).toMatch(/cannot be used at the moment/);
  });
});

describe('the reserve of free space', () => {
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(parent);
    return bavail * bsize;
  };

  test('below it writes are refused, with how much is free and how much is needed; reading and removing go on', async () => {
    await open().put('k', Buffer.from('x'));
    const store = open(freeBytes() + 500_000_000_000);
    const refusal = { code: 'unavailable', status: 503, retryAfterSeconds: 30 };
    for (const work of [
      () => store.put('other', Buffer.from('x')),
      () => store.putStream('other', Readable.from([Buffer.from('x')])),
      () => store.requireSpace(),
    ]) {
      const thrown = await work().catch((error: Error) => error);
      expect(thrown).toMatchObject(refusal);
      expect((thrown as Error).message).toMatch(/^The disk of the service has \d+ MB free, and writing needs \d+ MB;/);
    }
    expect(String(await store.get('k'))).toBe('x');
    await store.remove(['k']);
    expect(await store.get('k')).toBeNull();
    expect(filesBelow(folder)).toEqual([]);
  });

  test('a stream of known length is refused before it is read when it would use the reserve up', async () => {
    const store = open(1_000_000);
    let read = false;
    const source = Readable.from(
      (function* () {
        read = true;
        yield Buffer.from('x');
      })(),
    );
    await expect(store.putStream('k', source, { bytes: freeBytes() })).rejects.toThrow(
      /has \d+ MB free, and writing needs \d+ MB/,
    );
    expect(read).toBe(false);
  });

  test('the disk is looked at once a second, and writes resume by themselves', async () => {
    let free = 10;
    let looked = 0;
    const space = watchFreeSpace(folder, 100, async () => {
      looked++;
      return free;
    });
    for (let n = 0; n < 50; n++) await expect(space.require()).rejects.toMatchObject({ code: 'unavailable' });
    expect(looked).toBe(1);
    free = 1000;
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await space.require(900);
    await expect(space.require(901)).rejects.toMatchObject({ code: 'unavailable' });
    expect(looked).toBe(2);
  });
});
