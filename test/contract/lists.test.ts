import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { nameMemberOf } from '../../services/core/fields.ts';
import { routes } from '../../services/gateway/routes.ts';
import { closeStack, makeKey, makeSite, publish, request, type TestSite } from '../harness/api.ts';
import { upload } from '../harness/media.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

// biome-ignore lint/suspicious/noExplicitAny: lists hold records of every shape
type Any = any;

let site: TestSite;
/** A key that sees only these, for the list of sites. */
let pinned: string;
/** The value of a path parameter or a required query parameter. */
let integration: string;
let revision: string;
let item: string;
let media: string | undefined;

const create = async (path: string, body: unknown) => {
  const { status, data, text } = await site.request('POST', path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return data;
};

/** Creates at least two records of everything that is listed. */
beforeAll(async () => {
  site = await makeSite();
  pinned = await makeKey(['admin'], [site.slug, (await makeSite()).slug, (await makeSite()).slug]);
  revision = (await create('/shell/snapshot', undefined)).rev;
  await create('/event-endpoints', { url: 'https://events.example/a', events: ['site.published'] });
  await create('/event-endpoints', { url: 'https://events.example/b', events: ['site.published'] });
  const made = await makeIntegration(site, 'create_post');
  integration = made.id;
  await makeIntegration(site, 'create_page');
  for (const name of ['one', 'two']) {
    await create('/languages', { locale: { one: 'de', two: 'fr' }[name] });
    item = (await create('/content', { title: name })).id;
    await site.request('PATCH', `/content/${item}`, { title: `${name} again` });
    await site.request('DELETE', `/content/${(await create('/content', { title: name })).id}`);
    const shown = (await upload(site, Buffer.from(randomUUID()), { fields: {} })).data;
    media ??= shown.id;
    await create('/content', { title: `${name} with a file`, featured_media_id: media });
    const { data } = await upload(site, Buffer.from(randomUUID()), { fields: {} });
    await site.request('DELETE', `/media/${data.id}`);
    await site.request('PUT', `/components/${name}`, { type: 'html', source_code: name });
    await site.request('PUT', `/types/${name}`, { name, fields_schema: {} });
    await create('/redirects', { from: `/${name}`, to: '/x' });
    await create('/scripts', { name, code: '1' });
    await site.request('PUT', `/shell/file/${name}.css`, undefined, { raw: name });
    await create('/shell/snapshot', undefined);
    await deliver(made, '{');
    await publish(site);
  }
}, 120_000);
afterAll(closeStack);

const nameOf = (record: Any) => record[nameMemberOf(Object.keys(record))!];

/** Reads a page of a route's list. */
function read(path: string, query: Record<string, string>) {
  const needed = path.endsWith('/diff') ? { from: revision } : undefined;
  const ofSite = path === '/audit' ? { site: site.slug } : undefined; // the log of other sites grows meanwhile
  const asked = new URLSearchParams({ ...needed, ...ofSite, ...query });
  const target = path
    .replace(':site', site.slug)
    .replace('/media/:id', `/media/${media}`)
    .replace(/(\/content)?\/:id/, (_, content) => (content ? `${content}/${item}` : `/${integration}`));
  return request('GET', `${target}?${asked}`, { key: path === '/sites' ? pinned : site.key });
}

const lists = routes.filter(({ reply }) => reply.list).map(({ path }) => path);

// rule: envelope.3, endpoint.24, endpoint.27, endpoint.34, endpoint.37, endpoint.39, endpoint.44, break.27
test.each(lists)('%s comes in pages that together are every record once, in one order', async (path) => {
  const whole = await read(path, { per_page: '100' });
  const names = whole.data.map(nameOf);
  expect(whole.json.pagination).toEqual({ total: names.length, page: 1, per_page: 100, total_pages: 1 });
  expect(names.length).toBeGreaterThanOrEqual(2);
  expect(new Set(names).size).toBe(names.length);
  const pages = [];
  for (let page = 1; page <= names.length + 1; page++) {
    const { data, json } = await read(path, { per_page: '1', page: String(page) });
    expect(json.pagination).toEqual({ total: names.length, page, per_page: 1, total_pages: names.length });
    pages.push(...data.map(nameOf));
  }
  expect(pages).toEqual(names);
});

// rule: endpoint.45, limit.7
test.each(lists)('%s has twenty a page unless asked, and a hundred at most', async (path) => {
  expect((await read(path, {})).json.pagination).toMatchObject({ page: 1, per_page: 20 });
  expect((await read(path, { per_page: '101' })).json.pagination).toMatchObject({ per_page: 100 });
});

// rule: endpoint.44
test.each(lists)('%s refuses a page and a size that are none', async (path) => {
  for (const name of ['page', 'per_page'])
    for (const value of ['0', '-1', '1.5', 'x', '']) {
      const { status, error } = await read(path, { [name]: value });
      expect([value, status, error?.details[0].path]).toEqual([value, 422, name]);
    }
});
