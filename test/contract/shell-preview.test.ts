import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import { packTheme } from '../../services/cli/shell/theme.ts';
import { readThemeFolder } from '../../services/features/shell/index.ts';
import { closeStack, makeKey, makeSite, publish, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

const theme = mkdtempSync(path.join(tmpdir(), 'fieldstone-theme-'));
const file = (name: string) => path.join(theme, name);
let site: TestSite;
beforeAll(async () => {
  cpSync(path.resolve('services/features/shell/starter/files'), theme, { recursive: true });
  site = await makeSite();
  await site.request('POST', '/content', { title: 'Published words', status: 'published' });
  await publish(site);
});
afterAll(async () => {
  rmSync(theme, { recursive: true });
  await closeStack();
});

const preview = async (options: { key?: string; raw?: Uint8Array } = {}) => {
  const raw = options.raw ?? (await packTheme(readThemeFolder(theme, () => undefined)));
  return site.request('POST', '/shell/archive/preview', undefined, { ...options, raw });
};
const pathOf = (url: string) => new URL(url).pathname;

// rule: beyond.42
test('a theme is shown with the stored content, and nothing else changes', async () => {
  const shell = (await site.request('GET', '/shell/files?per_page=100')).data;
  const state = async () => [
    (await site.request('GET', '')).data,
    (await site.request('GET', '/jobs')).data,
    (await site.request('GET', '/shell/preview')).data.job,
    (await site.request('GET', '/shell/snapshots')).data,
  ];
  await site.request('POST', '/content', { title: 'Stored words', status: 'published' });
  const before = await state();
  writeFileSync(file('home.twig'), '{% for post in posts() %}<p>New theme: {{ post.title }}</p>{% endfor %}</body>');
  const { status, data } = await preview();
  expect([status, Date.parse(data.expires_at) > Date.now() + 12 * 60 * 60 * 1000]).toEqual([200, true]);
  const { text, headers } = await visit(pathOf(data.url));
  expect(text).toContain('New theme: Published words');
  expect(text).toContain('New theme: Stored words');
  expect(headers['x-robots-tag']).toBe('noindex');
  expect((await visit(`/sites/${site.slug}/`)).text).not.toContain('New theme');
  expect(await state()).toEqual(before);
  expect((await site.request('GET', '/shell/files?per_page=100')).data).toEqual(shell);
});

test('each change of the theme is one more preview; earlier ones stay as they were', async () => {
  writeFileSync(file('home.twig'), 'First');
  const first = (await preview()).data.url;
  writeFileSync(file('home.twig'), 'Second');
  const second = (await preview()).data.url;
  expect([(await visit(pathOf(first))).text, (await visit(pathOf(second))).text]).toEqual(['First', 'Second']);
  // a page that the theme does not change is there too
  expect((await visit(`${pathOf(second)}posts/published-words/`)).text).toContain('Published words');
});

// rule: beyond.42
test.each([
  ['home.twig', 'one\n{% if %}', /home\.twig, line 2/],
  ['post.twig', 'one\ntwo\n{{ 1 // nothing() }}', /post\.twig, line 3/],
])('a template that fails is 422 with its line: %s', async (name, text, message) => {
  const before = readFileSync(file(name));
  writeFileSync(file(name), text);
  const { status, error } = await preview();
  writeFileSync(file(name), before);
  expect([status, error.code, error.message]).toEqual([422, 'validation_failed', expect.stringMatching(message)]);
});

test('mode=merge with an archive without files shows the current shell; a theme without files is 422', async () => {
  const raw = Buffer.from(zipSync({}));
  const merged = await site.request('POST', '/shell/archive/preview?mode=merge', undefined, { raw });
  expect(merged.status).toBe(200);
  expect((await visit(pathOf(merged.data.url))).text).toContain('Published words');
  for (const path of ['/shell/archive/preview', '/shell/archive?mode=merge'])
    expect((await site.request('POST', path, undefined, { raw })).error).toMatchObject({ code: 'validation_failed' });
});

test('mode=merge shows the current shell with the files of the archive; a frame of another origin may show it', async () => {
  const raw = await packTheme(
    (async function* () {
      yield { path: 'home.twig', data: Buffer.from("{{ include('partials/extra.twig') }}</body>") };
      yield { path: 'partials/extra.twig', data: Buffer.from('Unsaved') };
    })(),
  );
  const { status, data } = await site.request('POST', '/shell/archive/preview?mode=merge', undefined, { raw });
  expect(status).toBe(200);
  const { text, headers } = await visit(pathOf(data.url));
  expect(text).toBe('Unsaved</body>');
  expect(headers['content-security-policy']).not.toContain('frame-ancestors');
  expect((await visit(`${pathOf(data.url)}posts/published-words/`)).text).toContain('Published words');
  const live = await visit(`/sites/${site.slug}/`);
  expect(live.headers['content-security-policy']).toContain("frame-ancestors 'self'");
});

test('a body that is not an archive is 422; the scope is that of writing a shell', async () => {
  expect((await preview({ raw: new Uint8Array(8) })).status).toBe(422);
  const { status, error } = await preview({ key: await makeKey(['shell:read', 'publish']) });
  expect([status, error.code]).toEqual([403, 'scope_missing']);
});
