import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { eventually } from '../harness/api.ts';
import { crawlEdge } from '../harness/crawl.ts';
import { freshPorts, freshSecretKey, type Installation, startInstallation } from '../harness/installation.ts';
import { jpeg } from '../harness/media.ts';
import { describeWith } from '../harness/programs.ts';
import '../harness/retry.ts';
import { findS3Server, type S3Server, startS3Server } from '../harness/s3-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

const minutesMs = 600_000;
const s3Program = findS3Server();
const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const base = { FIELDSTONE_SECRET_KEY: freshSecretKey() };
const largeBytes = 12 * 1024 * 1024;

let s3: S3Server;
let ports: Awaited<ReturnType<typeof freshPorts>>;
let here: Installation;
let key: string;
let picture: { id: string; sha256: string };
let large: typeof picture;
let served: Map<string, string>;

const bucket = () => {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = s3.settings;
  const keys = { accessKey: S3_ACCESS_KEY, secretKey: S3_SECRET_KEY, region: S3_REGION, ca: undefined };
  return openKeyedStore({ engine: 's3', endpoint: S3_ENDPOINT, bucket: S3_BUCKET, ...keys });
};
const files = () => openKeyedStore({ engine: 'files', folder: path.join(here.data, 'objects'), minFreeBytes: 0 });

async function keysOf(store: ReturnType<typeof bucket>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys.sort();
}

async function post(at: string, body?: unknown): Promise<Any> {
  const { data, status } = await here.request('POST', at, { key, body });
  expect(status).toBeLessThan(300);
  return data;
}

async function publish(): Promise<void> {
  const { job } = await post('/sites/moved/publish');
  await eventually('the site is published', async () => {
    const { data } = await here.request('GET', `/jobs/${job}`, { key });
    if (data.status === 'failed') throw new Error(data.error.message);
    return data.status === 'succeeded';
  });
}

async function upload(bytes: Buffer, name: string): Promise<{ id: string; sha256: string }> {
  const raw = new FormData();
  raw.set('file', new Blob([bytes as Buffer<ArrayBuffer>]), name);
  raw.set('alt', 'A stone');
  const { status, data } = await here.request('POST', '/sites/moved/media', { key, raw });
  expect(status).toBe(201);
  return { id: data.id, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const crawl = () => crawlEdge(here.edge, ['/sites/moved/', '/sites/moved/sitemap.xml', '/sites/moved/feed.xml']);

/** Returns the hash of the large file as the edge serves it. */
async function hashOfLarge(): Promise<string> {
  const { data } = await here.request('GET', `/sites/moved/media/${large.id}`, { key });
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer());
  return createHash('sha256').update(bytes).digest('hex');
}

const write = (title: string) =>
  post('/sites/moved/content', {
    title,
    status: 'published',
    body_html: `<p>${title} ${'words '.repeat(2000)}</p><img src="media:${picture.id}">`,
  });

/** Runs a command on the data folder; returns its output and exit code. */
async function cli(env: Record<string, string>, ...args: string[]) {
  const options = { env: { ...process.env, NODE_OPTIONS: '', ...base, ...env } };
  const done = await promisify(execFile)(process.execPath, [program, ...args, '--data', here.data], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
  return { code: done.code, stdout: done.stdout, stderr: done.stderr };
}

const copy = (from: string, to: string) => here.runWith(s3.settings, 'objects', 'copy', '--from', from, '--to', to);

/** Returns the message of `up` when it does not start. */
function refusal(env: Record<string, string>): string {
  const flags = ['--data', here.data, '--port', '0', '--edge-port', '0'];
  const { status, stderr } = spawnSync(process.execPath, [program, 'up', ...flags], {
    env: { ...process.env, NODE_OPTIONS: '', ...base, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(status).toBe(1);
  return stderr;
}

async function start(env: Record<string, string>): Promise<void> {
  here = await startInstallation(ports, { ...base, ...env }, [], here.data);
}

describeWith('moto_server, or python3 with venv and pip', s3Program !== null)('the objects of an installation', () => {
  beforeAll(async () => {
    [s3, ports] = await Promise.all([startS3Server(s3Program!), freshPorts()]);
    here = await startInstallation(ports, base);
    ({ key } = await here.run('keys', 'create', '--name', 'root', '--scopes', 'admin', '--sites', '*'));
    await post('/sites', { name: 'Moved', slug: 'moved' });
    picture = await upload(await jpeg(300, 200), 'stone.jpg');
    large = await upload(randomBytes(largeBytes), 'large.bin');
    await eventually('the picture is ready', async () => {
      const { data } = await here.request('GET', `/sites/moved/media/${picture.id}`, { key });
      return data.status === 'ready' && data.variants.some(({ format }: Any) => format === 'avif');
    });
    for (const title of ['one', 'two', 'three']) await write(title);
    await publish();
    served = await crawl();
    expect(served.size).toBeGreaterThan(10);
  }, minutesMs);

  afterAll(async () => {
    await here?.destroy();
    await s3?.stop();
  }, minutesMs);

  test('are copied while the service runs, though the copy is killed, and what lies damaged in the target is replaced', async () => {
    const store = bucket();
    await store.ensure();
    const [first] = await keysOf(files());
    await store.put(first!, randomBytes((await files().size(first!))!));
    for (const ms of [1500, 2500]) await here.kill(ms, 'objects', 'copy', '--from', 'files', '--to', 's3');
    const copied = await copy('files', 's3');
    expect(copied).toMatchObject({ lost: 0, damaged: [], objects_engine: 'files', fallback: null });
    expect(copied.objects).toBe((await keysOf(files())).length);
    for (const key of await keysOf(files())) {
      expect((await store.get(key))!.equals((await files().get(key))!)).toBe(true);
    }
    expect(await copy('files', 's3')).toMatchObject({ copied: 0, bytes: 0, present: copied.objects });
    expect(await crawl()).toEqual(served);
  }, 300_000);

  test('an object that has gone from the target is copied again', async () => {
    const [first] = await keysOf(files());
    await bucket().remove([first!]);
    expect(await copy('files', 's3')).toMatchObject({ copied: 1 });
    expect(await bucket().size(first!)).toBe(await files().size(first!));
  }, 120_000);

  test('stay where they are while the service runs, and a start with other settings is refused', async () => {
    const running = await cli({}, 'engines', 'set', '--objects', 's3', '--json');
    expect(running).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(running.stderr)).toEqual({
      error: { code: 'failed', message: expect.stringContaining('The service is running: stop it first') },
    });
    await write('four');
    await publish();
    served = await crawl();
    await here.stop();
    expect(refusal(s3.settings)).toContain(
      'This installation uses objects: files, but the settings say objects: s3: change S3_ENDPOINT, or stop the service and switch ' +
        `it with \`fieldstone engines set --objects s3 --data ${here.data}\`.`,
    );
  }, 300_000);

  test('are read from the store before for as long as the new one lacks them', async () => {
    const set = JSON.parse((await cli(s3.settings, 'engines', 'set', '--objects', 's3', '--json')).stdout);
    expect(set).toMatchObject({ actors: 'embedded', objects: 's3', fallback: 'files', changed: true });
    expect(set.missing_objects).toBeGreaterThan(0);
    expect(set.next.join(' ')).toContain('fieldstone objects copy --from files --to s3');
    expect(refusal({})).toContain('uses objects: s3, but the settings say objects: files');
    await start(s3.settings);
    expect(await crawl()).toEqual(served);
    expect(await hashOfLarge()).toBe(large.sha256);
    const before = await keysOf(files());
    await write('five');
    await publish();
    expect(await keysOf(files())).toEqual(before);
    served = await crawl();
  }, 300_000);

  test('are all in the new store after another copy, and the one before is not needed any more', async () => {
    expect(await copy('files', 's3')).toMatchObject({ lost: 0, objects_engine: 's3', fallback: null });
    await here.stop();
    renameSync(path.join(here.data, 'objects'), path.join(here.data, 'away'));
    await start(s3.settings);
    expect(await crawl()).toEqual(served);
    expect(await hashOfLarge()).toBe(large.sha256);
    await publish();
    expect(existsSync(path.join(here.data, 'objects'))).toBe(false);
  }, 300_000);

  test('go back into files, byte for byte', async () => {
    served = await crawl();
    expect(await copy('s3', 'files')).toMatchObject({ lost: 0, damaged: [], objects_engine: 's3', fallback: null });
    await here.stop();
    const last = JSON.parse(
      (await cli(s3.settings, 'objects', 'copy', '--from', 's3', '--to', 'files', '--json')).stdout,
    );
    expect(last).toMatchObject({ copied: 0 });
    const set = JSON.parse((await cli({}, 'engines', 'set', '--objects', 'files', '--json')).stdout);
    expect(set).toMatchObject({ objects: 'files', fallback: null, missing_objects: 0, next: [] });
    await s3.stop();
    rmSync(path.join(here.data, 'away'), { recursive: true });
    await start({});
    expect(await crawl()).toEqual(served);
    expect(await hashOfLarge()).toBe(large.sha256);
    await publish();
  }, 300_000);
});
