import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import type * as Client from '@fieldstone/client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { closeStack, makeSite, stack, type TestSite } from '../harness/api.ts';

let site: TestSite;
let createClient: typeof Client.createClient;
let FieldstoneError: typeof Client.FieldstoneError;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  await promisify(execFile)(process.execPath, [path.resolve('scripts/build-client.ts')]);
  ({ createClient, FieldstoneError } = await import('@fieldstone/client'));
  site = await makeSite();
  client = createClient({ url: stack.gateways[0]!, key: site.key });
});
afterAll(closeStack);

describe('against the service', () => {
  test('creates, reads, changes and lists with types', async () => {
    const made = await client.call('createContent', { site: site.slug, body: { title: 'By the client', tags: ['x'] } });
    expect([made.status, made.data.slug, made.replayed]).toEqual([201, 'by-the-client', false]);
    const read = await client.call('getContent', { site: site.slug, id: made.data.id });
    expect(read.data).toEqual(made.data);
    expect(read.etag).toBe(made.etag);
    const changed = await client.call(
      'updateContent',
      { site: site.slug, id: made.data.id, body: { status: 'published' } },
      { headers: { 'If-Match': read.etag! } },
    );
    expect(changed.data.status).toBe('published');
    const found = await client.call('listContent', { site: site.slug, query: { status: 'published', per_page: 5 } });
    expect(found.pagination).toEqual({ total: 1, page: 1, per_page: 5, total_pages: 1 });
    expect(found.data).toHaveLength(1);
  });

  test('filters a list by members of fields', async () => {
    const fields_schema = { region: { type: 'string', 'x-filter': true } };
    await client.call('putType', { site: site.slug, type: 'hike', body: { name: 'Hike', fields_schema } });
    for (const region of ['north', 'south'])
      await client.call('createContent', {
        site: site.slug,
        body: { title: region, type: 'hike', fields: { region } },
      });
    const found = await client.call('listContent', {
      site: site.slug,
      query: { filter: { 'fields.region': 'north' }, fields: ['title'] },
    });
    expect(found.data.map(({ title }) => title)).toEqual(['north']);
  });

  test('goes through all pages of a list', async () => {
    for (let i = 0; i < 7; i++) {
      await client.call('createRedirect', { site: site.slug, body: { from: `/r${i}`, to: '/' } });
    }
    const from: string[] = [];
    for await (const redirect of client.list('listRedirects', { site: site.slug, query: { per_page: 3 } }))
      from.push(redirect.from);
    expect(from).toEqual(['/r6', '/r5', '/r4', '/r3', '/r2', '/r1', '/r0']);
  });

  test('writes and reads raw files, and takes an empty reply', async () => {
    const file = { site: site.slug, path: 'css/client site.css' };
    const written = await client.call('writeShellFile', { ...file, body: 'a{}' });
    expect(written.data.path).toBe('css/client site.css');
    expect((await client.call('readShellFile', file)).data).toBe('a{}');
    expect(await client.call('deleteShellFile', file)).toMatchObject({ status: 204, data: null });
  });

  test('reads a file that is no text byte for byte', async () => {
    const file = { site: site.slug, path: 'img/client.png' };
    const sent = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xc3]);
    await client.call('writeShellFile', { ...file, body: sent });
    expect((await client.call('readShellFile', file)).bytes).toEqual(sent);
  });

  test('refuses what would go out without its meaning, before anything is sent', async () => {
    const request = { site: site.slug, body: { title: 'One' }, headers: { 'If-Match': '"x"' } };
    await expect(client.call('createContent', request)).rejects.toThrow(/headers is not one of them/);
    const unnamed = { site: site.slug, ID: 'x' } as never;
    await expect(client.call('getContent', unnamed)).rejects.toThrow('getContent needs id.');
  });

  test('waits for a job', async () => {
    const { data } = await client.call('publishSite', { site: site.slug });
    expect(await client.waitForJob(data.job, { intervalMs: 100 })).toMatchObject({
      uuid: data.job,
      status: 'succeeded',
    });
  });

  test('uploads a form', async () => {
    const form = new FormData();
    form.set('file', new File(['some text'], 'notes.txt', { type: 'text/plain' }));
    const { data } = await client.call('uploadMedia', { site: site.slug, body: form });
    expect([data.kind, data.filename]).toEqual(['file', 'notes.txt']);
  });

  test('throws what the service said', async () => {
    const refused = client.call('createContent', { site: site.slug, body: { title: '' } });
    await expect(refused).rejects.toThrow(FieldstoneError);
    await expect(refused).rejects.toMatchObject({
      status: 422,
      code: 'validation_failed',
      details: [{ path: 'title' }],
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('the same key is answered with the stored reply', async () => {
    const create = () =>
      client.call('createContent', { site: site.slug, body: { title: 'Once' } }, { idempotencyKey: 'client-once' });
    const [first, again] = [await create(), await create()];
    expect([first.replayed, again.replayed, again.data.id]).toEqual([false, true, first.data.id]);
  });
});

describe('the package', () => {
  const run = promisify(execFile);
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-client-'));
  const program = `import { createClient } from '@fieldstone/client';
    const client = createClient({ url: URL_OF_SERVICE, key: KEY });
    globalThis.titles = (async () => {
      const titles = [];
      for await (const item of client.list('listContent', { site: SITE, query: { fields: ['title'] } })) titles.push(item.title);
      return titles;
    })();`;
  let define: Record<string, string>;
  let expected: string[];
  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', path.resolve('services/client'), '--json', '--ignore-scripts'], {
      cwd: folder,
    });
    const installed = path.join(folder, 'node_modules', '@fieldstone', 'client');
    mkdirSync(installed, { recursive: true });
    await run('tar', [
      'xzf',
      path.join(folder, JSON.parse(stdout)[0].filename),
      '--strip-components=1',
      '-C',
      installed,
    ]);
    define = {
      URL_OF_SERVICE: JSON.stringify(stack.gateways[0]),
      KEY: JSON.stringify(site.key),
      SITE: JSON.stringify(site.slug),
    };
    expected = (await client.call('listContent', { site: site.slug })).data.map(({ title }) => title);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('runs in Node from its tarball', async () => {
    const filled = Object.entries(define).reduce((text, [name, value]) => text.replaceAll(name, () => value), program);
    const print = 'console.log(JSON.stringify(await globalThis.titles))';
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `${filled};${print}`], {
      cwd: folder,
    });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  test('runs in a bundle for browsers, with nothing of Node', async () => {
    const stdin = { contents: program, resolveDir: folder };
    const { outputFiles } = await build({ stdin, bundle: true, platform: 'browser', define, write: false });
    const web = { fetch, URL, URLSearchParams, TextDecoder, Uint8Array, ArrayBuffer, Blob, FormData, AbortController };
    const page = vm.createContext({ ...web, crypto, setTimeout, clearTimeout });
    vm.runInContext(outputFiles[0]!.text, page);
    expect([...(await page['titles'])]).toEqual(expected);
  });
});

describe('retries', () => {
  let server: Server;
  let seen: { method: string; key: string | undefined; at: number }[] = [];
  let script: { status: number; headers?: Record<string, string>; error?: object }[] = [];
  beforeAll(async () => {
    server = createServer((req, res) => {
      seen.push({ method: req.method!, key: req.headers['idempotency-key'] as string, at: performance.now() });
      const step = script.shift() ?? { status: 200 };
      res.writeHead(step.status, { 'Content-Type': 'application/json', ...step.headers });
      res.end(
        JSON.stringify(step.error ? { success: false, error: step.error } : { success: true, data: { job: 'j' } }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const start = (steps: typeof script, options: { retries?: number; maxWaitMs?: number } = {}) => {
    seen = [];
    script = steps;
    const { port } = server.address() as AddressInfo;
    return createClient({ url: `http://127.0.0.1:${port}/`, key: 'fs_x', ...options });
  };
  const limited = (seconds: string) => ({
    status: 429,
    headers: { 'Retry-After': seconds },
    error: { code: 'rate_limited', message: 'x' },
  });

  test('wait as long as Retry-After says, with one idempotency key for all of them', async () => {
    const inFlight = {
      status: 409,
      headers: { 'Retry-After': '1' },
      error: { code: 'idempotency_in_flight', message: 'x' },
    };
    await start([limited('1'), inFlight, { status: 503, error: { code: 'unavailable', message: 'x' } }]).call(
      'publishSite',
      { site: 's' },
    );
    expect(seen).toHaveLength(4);
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(990);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]!.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('end after the given number', async () => {
    const call = start([limited('0'), limited('0'), limited('0')], { retries: 2 }).call('publishSite', { site: 's' });
    await expect(call).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 0 });
    expect(seen).toHaveLength(3);
  });

  test('are not made for a wait that is too long, nor for what is final', async () => {
    await expect(start([limited('3600')]).call('publishSite', { site: 's' })).rejects.toMatchObject({ status: 429 });
    expect(seen).toHaveLength(1);
    const taken = { status: 409, error: { code: 'slug_taken', message: 'x' } };
    await expect(start([taken]).call('publishSite', { site: 's' })).rejects.toMatchObject({ code: 'slug_taken' });
    expect(seen).toHaveLength(1);
  });

  test('of a POST without an idempotency key are made only when it cannot have run', async () => {
    const failed = { status: 500, error: { code: 'internal_error', message: 'x' } };
    const call = start([failed]).call('publishSite', { site: 's' }, { idempotencyKey: null });
    await expect(call).rejects.toMatchObject({ status: 500 });
    expect(seen).toHaveLength(1);
    await start([limited('0')]).call('publishSite', { site: 's' }, { idempotencyKey: null });
    expect(seen.map(({ key }) => key)).toEqual([undefined, undefined]);
  });
});

describe('waiting', () => {
  const runningJob = () => Response.json({ success: true, data: { uuid: 'j', status: 'running', finished_at: null } });

  test('for a job leaves nothing on the signal between its reads', async () => {
    const waiting = new AbortController();
    const listeners: number[] = [];
    const client = createClient({
      url: 'http://localhost',
      key: 'k',
      fetch: async () => {
        listeners.push(getEventListeners(waiting.signal, 'abort').length);
        if (listeners.length === 5) waiting.abort(new Error('enough'));
        return runningJob();
      },
    });
    await expect(client.waitForJob('j', { intervalMs: 1, signal: waiting.signal })).rejects.toThrow('enough');
    expect(listeners).toEqual([0, 0, 0, 0, 0]);
  });

  test('ends at once when its signal is aborted, however long it is', async () => {
    const waiting = new AbortController();
    const client = createClient({ url: 'http://localhost', key: 'k', fetch: async () => runningJob() });
    const waited = client.waitForJob('j', { intervalMs: 2 ** 30, signal: waiting.signal });
    setImmediate(() => waiting.abort(new Error('enough')));
    await expect(waited).rejects.toThrow('enough');
  });
});
