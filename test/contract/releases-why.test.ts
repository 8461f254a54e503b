import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, stackDatabase, type TestSite } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { createItem, succeed, writeShell } from '../workflows/helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const why = async (release: string, path: string, of = site): Promise<Any> =>
  (await of.request('GET', `/releases/${release}/why?path=${encodeURIComponent(path)}`)).data;

// rule: beyond.15
test('a release is read by its id, as the list has it; a preview, another site’s and an unknown one are 404', async () => {
  const { result } = await publish(site);
  const { status, data } = await site.request('GET', `/releases/${result.release}`);
  expect(status).toBe(200);
  expect(data).toEqual((await site.request('GET', '/releases')).data[0]);
  expect(data).toMatchObject({ id: result.release, live: true, pages: result.pages });
  const other = await makeSite();
  const { job } = await writeShell(other, 'css/own.css', 'p { margin: 1px }');
  const { result: preview } = await succeed(other, job);
  for (const [of, id] of [
    [other, result.release],
    [other, preview.release],
    [other, randomUUID()],
    [other, 'none'],
  ] as const) {
    for (const path of [`/releases/${id}`, `/releases/${id}/why?path=/`])
      expect([path, (await of.request('GET', path)).status]).toEqual([path, 404]);
  }
});

// rule: beyond.16
test('a new page says so; the next publish reuses it, and names what made others change', async () => {
  const item = await createItem(site, { title: 'Explained' });
  const other = await createItem(site, { title: 'Left alone' });
  const first = (await publish(site)).result;
  expect(await why(first.release, '/posts/explained/')).toEqual({
    path: '/posts/explained/',
    rendered: true,
    reasons: [{ kind: 'new' }],
  });
  await site.request('PATCH', `/content/${item.id}`, { title: 'Explained again' });
  const { result } = await publish(site);
  const changed = await why(result.release, '/posts/explained/');
  expect(changed).toMatchObject({ rendered: true });
  expect(changed.reasons).toContainEqual({ kind: 'item', id: item.id });
  expect(await why(result.release, '/posts/left-alone/')).toEqual({
    path: '/posts/left-alone/',
    rendered: false,
    reasons: [],
  });
  expect(other.status).toBe('published');
  expect((await why(result.release, '/')).reasons).toContainEqual(expect.objectContaining({ kind: 'posts' }));
  expect(result).toMatchObject({ rendered: expect.any(Number), reused: expect.any(Number) });
  expect(result.rendered + result.reused).toBe(result.pages);
  expect(result.reasons.item).toBeGreaterThanOrEqual(1);
  expect(result.reasons.new).toBeUndefined();
});

// rule: beyond.16
test('a template that changed is named, also on pages that the preview had made before', async () => {
  const own = await makeSite();
  await createItem(own, { title: 'Framed' });
  await publish(own);
  const { job } = await writeShell(own, 'post.twig', '<!doctype html><html><body>{{ page.title }}!</body></html>');
  await succeed(own, job);
  const { result } = await publish(own);
  expect(await why(result.release, '/posts/framed/', own)).toEqual({
    path: '/posts/framed/',
    rendered: false,
    reasons: [{ kind: 'template', name: 'post.twig' }],
  });
  expect(result.reasons).toEqual({ template: 1 });
});

// rule: beyond.17
test('an unknown path is 404, none is 422, and what is no page of templates is 404 as well', async () => {
  const { result } = await publish(site);
  const at = `/releases/${result.release}/why`;
  for (const path of ['/nothing/', 'posts/explained/', '/sitemap.xml', '__proto__'])
    expect((await site.request('GET', `${at}?path=${path}`)).status).toBe(404);
  for (const query of ['', '?path=', '?other=1']) {
    const { status, error } = await site.request('GET', at + query);
    expect(status).toBe(422);
    expect(error.details[0].path).toBe('path');
  }
});

// rule: beyond.16
test('the reply is the same once the release before has been collected', async () => {
  const own = await makeSite();
  await createItem(own, { title: 'Kept reasons' });
  const first = (await publish(own)).result;
  await own.request('PATCH', '', { settings: { tagline: 'Another' } });
  const { result } = await publish(own);
  const before = await why(result.release, '/posts/kept-reasons/', own);
  expect(before).toMatchObject({ rendered: true, reasons: expect.arrayContaining([{ kind: 'site' }]) });
  await stackDatabase().query('DELETE FROM releases WHERE id = $1', [first.release]);
  expect(await why(result.release, '/posts/kept-reasons/', own)).toEqual(before);
  expect((await own.request('GET', `/releases/${first.release}/why?path=/`)).status).toBe(404);
});

// rule: beyond.16
test('the command line says the same, of the live release or an earlier one', async () => {
  const own = await makeSite();
  const unpublished = await runCli('releases', 'why', own.slug, '/', '--json');
  expect([unpublished.code, JSON.parse(unpublished.stderr).error.code]).toEqual([4, 'not_found']);
  const first = (await publish(own)).result;
  await createItem(own, { title: 'Listed' });
  const { result } = await publish(own);
  const { code, stdout } = await runCli('releases', 'why', own.slug, '/', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ release: result.release, ...(await why(result.release, '/', own)) });
  const text = await runCli('releases', 'why', own.slug, '/', '--release', first.release);
  expect(text.stdout).toBe('rendered\n  new\n');
  expect((await runCli('releases', 'why', own.slug, '/nothing/')).code).toBe(4);
  expect((await runCli('releases', 'why', own.slug, '/', '--release', 'x')).code).toBe(4);
});
