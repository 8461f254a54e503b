import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, request, stackDatabase, type TestSite, waitForJob } from '../harness/api.ts';
import { burstWithinQuiet } from '../harness/burst.ts';
import { sendRaw } from '../harness/raw.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const put = (path: string, raw: string | Uint8Array, headers: Record<string, string> = {}) =>
  site.request('PUT', `/shell/file/${path}`, undefined, { raw, headers });
const rawFile = (method: string, path: string, body?: string) =>
  sendRaw({
    method,
    target: `/api/v1/sites/${site.slug}/shell/file/${path}`,
    headers: { 'X-API-Key': site.key },
    ...(body === undefined ? {} : { body }),
  });

describe('write and read', () => {
  // rule: endpoint.19
  test('a new file is 201, a replaced one 200, and the record says what was stored', async () => {
    const made = await put('css/site.css', 'body{}');
    expect(made.status).toBe(201);
    expect(made.data).toEqual({
      path: 'css/site.css',
      bytes: 6,
      sha256: createHash('sha256').update('body{}').digest('hex'),
      content_type: expect.stringMatching(/^text\/css/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      warnings: [],
      job: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const replaced = await put('css/site.css', 'body{color:red}');
    expect([replaced.status, replaced.data.bytes]).toEqual([200, 15]);
  });

  // rule: resource.1, envelope.4, endpoint.18, break.25
  test.each([
    ['style.css', 'text/css'],
    ['data.json', 'application/json'],
    ['evil.svg', 'text/html'],
    ['app.js', 'multipart/form-data; boundary=x'],
    ['page-x.twig', 'application/x-www-form-urlencoded'],
  ])('%s sent as %s comes back byte for byte as text/plain', async (path, contentType) => {
    const bytes = Buffer.from('{"not json\n\r\n--x é');
    expect((await put(path, bytes, { 'Content-Type': contentType })).status).toBeLessThan(300);
    const reply = await rawFile('GET', path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(reply.body.equals(bytes)).toBe(true);
  });

  // rule: resource.1
  test('arbitrary bytes are kept', async () => {
    const bytes = randomBytes(100_000);
    await put('font.woff2', bytes);
    expect((await rawFile('GET', 'font.woff2')).body.equals(bytes)).toBe(true);
  });

  test('an empty file and a body without a content type', async () => {
    expect((await put('empty.css', '')).data.bytes).toBe(0);
    expect((await rawFile('GET', 'empty.css')).body.length).toBe(0);
  });

  test('If-None-Match is 304', async () => {
    await put('tagged.css', 'a{}');
    const etag = (await site.request('GET', '/shell/file/tagged.css')).headers.get('etag')!;
    const again = await site.request('GET', '/shell/file/tagged.css', undefined, {
      headers: { 'If-None-Match': etag },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('the same bytes again queue nothing and change nothing', async () => {
    const first = await put('same.css', 'x{}');
    const again = await put('same.css', 'x{}');
    expect([again.status, again.data]).toEqual([200, { ...first.data, job: null }]);
  });

  // rule: service.5
  test('a burst shares one job, which contains all of it', async () => {
    const { fresh, replies } = await burstWithinQuiet(async () => {
      const fresh = await makeSite();
      const write = (i: number) =>
        request('PUT', `/sites/${fresh.slug}/shell/file/burst/${i}.css`, {
          key: fresh.key,
          raw: `a${i}{}`,
          gateway: i % 2,
        });
      return {
        send: async () => ({ fresh, replies: await Promise.all(Array.from({ length: 12 }, (_, i) => write(i))) }),
      };
    });
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const jobs = new Set(replies.map(({ data }) => data.job));
    expect(jobs.size).toBe(1);
    const job = await waitForJob(fresh.key, [...jobs][0] as string);
    expect([job.status, job.kind, job.site]).toEqual(['succeeded', 'rebuild', fresh.slug]);
    const site = await fresh.request('GET', '');
    expect(site.data.live_release).toBeNull();
  });

  test('a template with a syntax error is stored, and the warning names its line', async () => {
    const source = '<p>\n{% if %}\n</p>';
    const reply = await put('broken.twig', source);
    expect(reply.status).toBe(201);
    expect(reply.data.warnings).toEqual([{ code: 'template_syntax', message: expect.stringContaining('line 2') }]);
    expect((await rawFile('GET', 'broken.twig')).body.toString()).toBe(source);
    expect((await put('broken.twig', '<p>{{ page.title }}</p>')).data.warnings).toEqual([]);
  });
});

describe('limits', () => {
  // rule: resource.3, limit.6, break.25
  test('5,000,000 bytes pass, one more is 413, whatever the content type', async () => {
    const full = Buffer.alloc(5_000_000, 0x20);
    for (const type of ['text/css', 'application/json']) {
      expect((await put(`large-${type.slice(-3)}.css`, full, { 'Content-Type': type })).status).toBe(201);
    }
    const over = await put('larger.css', Buffer.alloc(5_000_001), { 'Content-Type': 'application/json' });
    expect([over.status, over.error.code]).toEqual([413, 'too_large']);
    expect((await site.request('GET', '/shell/file/larger.css')).status).toBe(404);
  });

  test('the size is judged before the path', async () => {
    const reply = await put('no-extension', Buffer.alloc(5_000_001));
    expect(reply.status).toBe(413);
  });
});

describe('paths', () => {
  const hostile = [
    '../x.css',
    'a/../x.css',
    'a/../../x.css',
    '..%2fx.css',
    '%2e%2e/x.css',
    '%2e%2e%2fx.css',
    'a/%2e%2e/%2e%2e/x.css',
    '.%2e/x.css',
    './x.css',
    'a/./x.css',
    '%2e/x.css',
    '/x.css',
    '//x.css',
    '%2fx.css',
    'a//x.css',
    'a%2f%2fx.css',
    'a/',
    'a.css/',
    'a.css%2f',
    '.hidden.css',
    'a/.hidden.css',
    '.git/config.css',
    '...css',
    '.../x.css',
    'a%5cx.css',
    '..%5cx.css',
    'a\\x.css',
    '%5c%5cserver%5cx.css',
    'C:%5cx.css',
    'x%00.css',
    'x.css%00',
    'x.css%00.twig',
    '%00.css',
    'x%0a.css',
    'x%0d%0aSet-Cookie.css',
    'x%09.css',
    'x%7f.css',
    'x%1b.css',
    'x%c2%80.css',
    'x%ff.css',
    'x%c0%ae%c0%ae/y.css',
    'x%.css',
    'x%zz.css',
    'x%e2%82.css',
    `${'x'.repeat(252)}.css`,
    `${'a/'.repeat(126)}x.css`,
    `${'%c3%bc'.repeat(126)}.css`,
    '',
    '.',
    '..',
    '%2e%2e',
  ];

  // rule: resource.4, threat.29
  test.each(hostile)('%p is refused for reading, writing and deleting', async (path) => {
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const reply = await rawFile(method, path, method === 'PUT' ? 'x' : undefined);
      expect([method, reply.status, reply.json?.error.code]).toEqual([method, 422, 'validation_failed']);
    }
  });

  // rule: resource.4
  test('none of them left anything behind', async () => {
    const { json } = await site.request('GET', '/shell/files?per_page=100');
    for (const { path } of json.data) expect(path).toMatch(/^(?!.*\/\/)[^./\\][^\\]*$/);
  });

  // rule: resource.2, break.25
  test.each([
    'x',
    'x.',
    'x.php',
    'x.html',
    'x.twig.php',
    'x.css.exe',
    'css',
    'x.ttf',
    'x.mp4',
    'Makefile',
    'x.css%20',
    'x.constructor',
    'x.toString',
    'x.__proto__',
  ])('%s has no allowed extension: it cannot be written', async (path) => {
    const reply = await rawFile('PUT', path, 'x');
    expect([reply.status, reply.json?.error.details[0].path]).toEqual([422, 'path']);
  });

  // rule: resource.2
  test.each([
    'twig',
    'css',
    'js',
    'json',
    'woff2',
    'svg',
    'png',
    'jpg',
    'jpeg',
    'gif',
    'webp',
    'avif',
    'ico',
    'CSS',
    'Jpg',
  ])('.%s is allowed', async (extension) => {
    const reply = await rawFile('PUT', `allowed/file.${extension}`, 'x');
    expect([reply.status, reply.json?.data.path]).toEqual([201, `allowed/file.${extension}`]);
  });

  test.each([
    ['with%20space.css', 'with space.css'],
    ['deep/er/and/deeper.css', 'deep/er/and/deeper.css'],
    ['slash%2fencoded.css', 'slash/encoded.css'],
    ['%c3%bcber/%e4%b8%ad.css', 'über/中.css'],
    ['%252e%252e/x.css', '%2e%2e/x.css'],
    ['a..b/c..css', 'a..b/c..css'],
    ['trailing./x.css', 'trailing./x.css'],
    ['q%3fx%23y.css', 'q?x#y.css'],
    ['plus+plus.css', 'plus+plus.css'],
    [`${'x'.repeat(251)}.css`, `${'x'.repeat(251)}.css`],
  ])('%s is the file %s', async (encoded, path) => {
    const made = await rawFile('PUT', encoded, `/* ${path} */`);
    expect([made.status, made.json?.data.path]).toEqual([201, path]);
    expect((await rawFile('GET', encoded)).body.toString()).toBe(`/* ${path} */`);
    expect((await rawFile('DELETE', encoded)).status).toBe(204);
  });
});

describe('delete', () => {
  // rule: envelope.4, state.10, endpoint.20, status.200
  test('is 204 without a body, queues a rebuild, then 404', async () => {
    const fresh = await makeSite();
    const jobs = async () => (await fresh.request('GET', '/jobs')).json.pagination.total;
    expect(await jobs()).toBe(0);
    const reply = await fresh.request('DELETE', '/shell/file/favicon.svg');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await jobs()).toBe(1);
    expect((await fresh.request('GET', '/shell/file/favicon.svg')).status).toBe(404);
    expect((await fresh.request('DELETE', '/shell/file/favicon.svg')).status).toBe(404);
    expect(await jobs()).toBe(1);
  });

  // rule: state.10, break.15
  test('joins a rebuild that still waits, whose preview then lacks the file; the live site stays', async () => {
    const fresh = await makeSite();
    await fresh.request('PUT', '/shell/file/kept.css', undefined, { raw: 'a{}' });
    expect((await fresh.request('DELETE', '/shell/file/404.twig')).status).toBe(204);
    const jobs = await stackDatabase().query<{ id: string; kind: string; joinable: boolean }>(
      `SELECT id, kind, EXISTS (SELECT 1 FROM jobs e WHERE e.site_id = j.site_id AND e.created_at < j.created_at
         AND (e.started_at IS NULL OR e.started_at > j.created_at)) AS joinable
       FROM jobs j WHERE site_id = $1 ORDER BY created_at`,
      [fresh.id],
    );
    expect(jobs.map(({ kind, joinable }) => [kind, joinable])).toEqual(jobs.map(() => ['rebuild', false]));
    expect((await waitForJob(fresh.key, jobs.at(-1)!.id)).error.message).toContain('404.twig');
    expect((await fresh.request('GET', '')).data.live_release).toBeNull();
  });
});

// rule: endpoint.20, break.15, threat.37
test('files of one site are not those of another', async () => {
  const other = await makeSite();
  const path = `${randomUUID()}.css`;
  await other.request('PUT', `/shell/file/${path}`, undefined, { raw: 'x' });
  expect((await site.request('GET', `/shell/file/${path}`)).status).toBe(404);
  expect((await site.request('DELETE', `/shell/file/${path}`)).status).toBe(404);
  expect((await put(path, 'mine')).status).toBe(201);
  expect((await rawFile('DELETE', path)).status).toBe(204);
  expect((await other.request('GET', `/shell/file/${path}`)).text).toBe('x');
});

// rule: endpoint.17, break.16
test('the list has a record for every file', async () => {
  const fresh = await makeSite();
  const read = async (query: string) => (await fresh.request('GET', `/shell/files?${query}`)).json;
  const before = await read('per_page=100');
  const {
    warnings: _warnings,
    job: _job,
    ...record
  } = (await fresh.request('PUT', '/shell/file/img/new.png', undefined, { raw: 'x' })).data;
  expect(Object.keys(record).sort()).toEqual(['bytes', 'content_type', 'path', 'sha256', 'updated_at']);
  const after = await read('per_page=100');
  expect(after.data).toEqual([record, ...before.data]);
  expect(after.pagination.total).toBe(after.data.length);
  for (const { path } of after.data) expect((await fresh.request('GET', `/shell/file/${path}`)).status).toBe(200);
  await fresh.request('DELETE', '/shell/file/img/new.png');
  expect((await read('per_page=100')).data).toEqual(before.data);
  expect((await read('per_page=2&page=2')).data).toEqual(before.data.slice(2, 4));
});
