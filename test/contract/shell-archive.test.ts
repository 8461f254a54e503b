import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, type TestSite, waitForJob } from '../harness/api.ts';
import { makeTar, makeZip } from '../harness/archives.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

type Files = Record<string, string | Buffer>;
const theme = { 'base.twig': '<body>{% block content %}{% endblock %}</body>', 'css/a.css': 'a{}' };
const templates: Files = Object.fromEntries(
  ['home', 'page', 'archive', '404'].map((name) => [`${name}.twig`, `{% extends 'base.twig' %}`]),
);
const whole: Files = { ...theme, ...templates };
const tar = (files: Files) => makeTar(Object.entries(files).map(([name, data]) => [{ name }, data]));
const zip = (files: Files) => makeZip(Object.entries(files).map(([name, data]) => ({ name, data })));
const send = (raw: Buffer, query = '', headers: Record<string, string> = {}, to = site) =>
  to.request('POST', `/shell/archive${query}`, undefined, { raw, headers });

async function readShell(from: TestSite = site): Promise<Record<string, string>> {
  const { json } = await from.request('GET', '/shell/files?per_page=100');
  return Object.fromEntries(json.data.map(({ path, sha256 }: { path: string; sha256: string }) => [path, sha256]));
}
const hashes = (files: Files) =>
  Object.fromEntries(
    Object.entries(files).map(([path, data]) => [path, createHash('sha256').update(data).digest('hex')]),
  );

describe('a whole theme', () => {
  test.each([
    ['tar', tar],
    ['tar.gz', async (files: Files) => gzipSync(await tar(files))],
    ['zip', zip],
  ])('as %s replaces the shell in one call, with one snapshot and one build', async (_format, makeArchive) => {
    const fresh = await makeSite();
    const before = await readShell(fresh);
    const reply = await send(await makeArchive(whole), '', {}, fresh);
    expect(reply.status).toBe(200);
    expect(reply.data).toEqual({
      mode: 'replace',
      files: 6,
      added: 1,
      changed: 5,
      removed: Object.keys(before).length - 5,
      snapshot: expect.stringMatching(/^[0-9a-f-]{36}$/),
      job: expect.stringMatching(/^[0-9a-f-]{36}$/),
      warnings: [],
    });
    expect(await readShell(fresh)).toEqual(hashes(whole));
    expect((await fresh.request('GET', '/shell/snapshots')).data).toHaveLength(1);
    expect((await fresh.request('GET', '/jobs')).data).toHaveLength(1);
    expect((await waitForJob(fresh.key, reply.data.job)).status).toBe('succeeded');
    expect((await fresh.request('GET', '')).data.live_release).toBeNull();

    const undone = await fresh.request('POST', `/shell/restore/${reply.data.snapshot}`);
    expect(undone.status).toBe(200);
    expect(await readShell(fresh)).toEqual(before);
  });

  test('mode=merge keeps what the archive lacks', async () => {
    const before = await readShell();
    const reply = await send(await tar({ 'extra/x.css': 'x{}', 'style.css': 'y{}' }), '?mode=merge');
    expect(reply.data).toMatchObject({ mode: 'merge', files: 2, added: 1, changed: 1, removed: 0 });
    expect(await readShell()).toEqual({ ...before, ...hashes({ 'extra/x.css': 'x{}', 'style.css': 'y{}' }) });
  });

  test('what is there already changes nothing, takes no snapshot and queues no build', async () => {
    await send(await tar(whole));
    const before = await site.request('GET', '/shell/files');
    const reply = await send(zip(whole));
    expect(reply.data).toEqual({
      ...{ mode: 'replace', files: 6, added: 0, changed: 0, removed: 0 },
      ...{ snapshot: null, job: null, warnings: [] },
    });
    expect((await site.request('GET', '/shell/files')).json).toEqual(before.json);
  });

  test('the folder that a repository puts around it is left out', async () => {
    const inFolder = Object.fromEntries(Object.entries(whole).map(([path, data]) => [`theme-1.0/${path}`, data]));
    expect((await send(await tar(inFolder))).data).toMatchObject({ files: 6 });
    expect(await readShell()).toEqual(hashes(whole));
  });

  test('merging leaves every path as it is', async () => {
    await send(await tar({ 'theme/home.twig': 'x' }), '?mode=merge');
    expect(await readShell()).toHaveProperty(['theme/home.twig']);
  });

  test('templates with errors and required templates that are missing are warned of', async () => {
    const reply = await send(await tar({ 'base.twig': '<p>\n{% if %}', 'home.twig': 'ok', 'page.twig': 'ok' }));
    expect(reply.status).toBe(200);
    expect(reply.data.warnings).toEqual([
      { code: 'template_syntax', message: expect.stringMatching(/^base\.twig, line 2/) },
      { code: 'template_missing', message: expect.stringContaining('archive.twig') },
      { code: 'template_missing', message: expect.stringContaining('404.twig') },
    ]);
    const job = await waitForJob(site.key, reply.data.job);
    expect([job.status, job.error.message]).toEqual(['failed', expect.stringContaining('archive.twig')]);
  });

  test('bytes come back as they were, whatever they are', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7 + (i >> 8)) % 256));
    await send(await tar({ ...whole, 'fonts/x.woff2': bytes, 'empty.css': '' }));
    expect(await readShell()).toEqual(hashes({ ...whole, 'fonts/x.woff2': bytes, 'empty.css': '' }));
  });

  test('5,000,000 bytes in one file pass', async () => {
    expect((await send(await tar({ ...whole, 'large.json': Buffer.alloc(5_000_000, 0x20) }))).status).toBe(200);
    expect((await send(zip({ ...whole, 'large.json': Buffer.alloc(5_000_000, 0x20) }))).status).toBe(200);
  });
});

describe('a request', () => {
  test('needs shell:write and a site that is there', async () => {
    const reader = await makeKey(['shell:read', 'components:write', 'publish']);
    const raw = await tar(whole);
    expect((await request('POST', `/sites/${site.slug}/shell/archive`, { key: reader, raw })).status).toBe(403);
    expect((await request('POST', `/sites/none-${randomUUID()}/shell/archive`, { key: site.key, raw })).status).toBe(
      404,
    );
  });

  test('with another mode is 422', async () => {
    const reply = await send(await tar(whole), '?mode=mirror');
    expect([reply.status, reply.error.details[0].path]).toEqual([422, 'mode']);
  });

  test('whatever its content type is taken for what its bytes are', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/zip'])
      expect((await send(await tar(whole), '', { 'Content-Type': type })).status).toBe(200);
  });

  test('is replayed under its Idempotency-Key, and another mode is another request', async () => {
    const raw = await tar({ ...whole, 'once.css': randomUUID() });
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await send(raw, '', headers);
    const again = await send(raw, '', headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    expect((await send(raw, '?mode=merge', headers)).status).toBe(422);
    expect((await send(await tar(whole), '', headers)).status).toBe(422);
  });
});

test('twenty uploads at once: each is whole, one after the other, and the last one stands', async () => {
  const fresh = await makeSite();
  const themes = Array.from({ length: 20 }, (_, i) => ({
    ...whole,
    'style.css': `v${i}{}`,
    [`only-${i}.css`]: `${i}{}`,
  }));
  const replies = await Promise.all(
    themes.map(async (files, i) =>
      request('POST', `/sites/${fresh.slug}/shell/archive`, { key: fresh.key, raw: await tar(files), gateway: i % 2 }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(replies.map(({ data }) => data.snapshot)).size).toBe(20);
  const final = await readShell(fresh);
  expect(themes.map(hashes)).toContainEqual(final);
  for (const job of new Set(replies.map(({ data }) => data.job as string)))
    expect((await waitForJob(fresh.key, job)).status).toBe('succeeded');
});
