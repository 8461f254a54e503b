import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, stack, type TestSite } from '../harness/api.ts';

let key: string;
beforeAll(async () => {
  key = await makeKey();
});
afterAll(closeStack);

const freshSlug = () => `s-${randomUUID().slice(0, 13)}`;
const create = (body: unknown) => request('POST', '/sites', { key, body });
const made = async (body: Record<string, unknown> = {}) =>
  (await create({ name: 'A site', slug: freshSlug(), ...body })).data;

describe('create', () => {
  // rule: endpoint.35
  test('a name and a slug are enough; every member of the record is there', async () => {
    const slug = freshSlug();
    const reply = await create({ name: 'My site', slug });
    expect(reply.status).toBe(201);
    expect(reply.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug,
      name: 'My site',
      domain: null,
      aliases: [],
      domain_proof: null,
      default_locale: 'en',
      locales: ['en'],
      settings: {},
      url: `${stack.edges[0]}/sites/${slug}/`,
      live_release: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await request('GET', `/sites/${slug}`, { key })).data).toEqual(reply.data);
  });

  test('the slug is derived from the name', async () => {
    const name = `Überblick ${randomUUID().slice(0, 8)}`;
    expect((await create({ name })).data.slug).toBe(name.toLowerCase().replace('ü', 'u').replace(' ', '-'));
  });

  // rule: endpoint.35, auth.4, break.26
  test('a derived slug is held against the list of a pinned key as well', async () => {
    const word = randomUUID().slice(0, 13);
    const pinned = await makeKey(['admin'], [`site-${word}`]);
    const createPinned = (name: string) => request('POST', '/sites', { key: pinned, body: { name } });
    const refused = await createPinned(`Other ${word}`);
    expect([refused.status, refused.error.code]).toEqual([403, 'site_not_allowed']);
    expect((await createPinned(`Site ${word}`)).data.slug).toBe(`site-${word}`);
    expect((await request('GET', `/sites/other-${word}`, { key })).status).toBe(404);
  });

  test('domain, locale and settings are kept; the domain decides the url', async () => {
    const domain = `${freshSlug()}.example.com`;
    const data = await made({ domain, default_locale: 'pt-br', settings: { accent: 'rust', nav: [{ label: 'x' }] } });
    expect(data).toMatchObject({
      domain,
      url: `https://${domain}/`,
      default_locale: 'pt-BR',
      locales: ['pt-BR'],
      settings: { accent: 'rust', nav: [{ label: 'x' }] },
    });
  });

  test.each<[string, unknown]>([
    ['name', undefined],
    ['name', ''],
    ['name', ' '],
    ['name', 5],
    ['slug', 'Not A Slug'],
    ['slug', '-a'],
    ['slug', 'a--b'],
    ['slug', 'a/b'],
    ['slug', ''],
    ['slug', 'x'.repeat(121)],
    ['slug', 5],
    ['domain', 'https://example.com'],
    ['domain', 'example.com:8080'],
    ['domain', 'example.com/path'],
    ['domain', 'exa mple.com'],
    ['domain', '127.0.0.1'],
    ['domain', 'Example.com'],
    ['domain', 'example.com.'],
    ['domain', 'bücher.example'],
    ['domain', '0x7f.1'],
    ['domain', ''],
    ['default_locale', 'english'],
    ['default_locale', ''],
    ['settings', []],
    ['settings', 'x'],
    ['settings', null],
    ['settings', { shell_autopublish: 'yes' }],
    ['theme', 'x'],
  ])('%s: %p is refused and named', async (member, value) => {
    const reply = await create({ name: 'A site', slug: freshSlug(), [member]: value });
    expect([reply.status, reply.error?.code]).toEqual([422, 'validation_failed']);
    expect(reply.error.details.map(({ path }: { path: string }) => path)).toContain(member);
  });

  test('a taken slug and a taken domain are 409', async () => {
    const site = await made({ domain: `${freshSlug()}.example` });
    const slug = await create({ name: 'X', slug: site.slug });
    expect([slug.status, slug.error.code]).toEqual([409, 'slug_taken']);
    const domain = await create({ name: 'X', slug: freshSlug(), domain: site.domain });
    expect([domain.status, domain.error.code]).toEqual([409, 'domain_taken']);
  });

  test.each([
    ['slug', () => ({ slug: `at-once${freshSlug()}` }), 'slug_taken'],
    ['domain', () => ({ domain: `${freshSlug()}.example` }), 'domain_taken'],
  ] as const)('ten at once with one %s: one is made', async (_what, members, code) => {
    const body = members();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => create({ name: 'X', slug: freshSlug(), ...body })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(new Set(replies.filter(({ status }) => status === 409).map(({ error }) => error.code))).toEqual(
      new Set([code]),
    );
  });

  test('a new site has a complete shell', async () => {
    const site = await made();
    const { data } = await request('GET', `/sites/${site.slug}/shell/files?per_page=100`, { key });
    const paths = data.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'base.twig',
        'home.twig',
        'page.twig',
        'post.twig',
        'archive.twig',
        '404.twig',
        'style.css',
      ]),
    );
  });
});

describe('list', () => {
  // rule: endpoint.34
  test("holds the key's sites alone, newest first", async () => {
    const sites = [await made(), await made(), await made()];
    const pinned = await makeKey(['sites:read'], [sites[0].slug, sites[2].slug, 'not-yet-there']);
    const { json } = await request('GET', '/sites', { key: pinned });
    expect(json.data).toEqual([sites[2], sites[0]]);
    expect(json.pagination).toEqual({ total: 2, page: 1, per_page: 20, total_pages: 1 });
    const none = await makeKey(['sites:read'], ['not-yet-there']);
    expect((await request('GET', '/sites', { key: none })).json.pagination.total).toBe(0);
  });

  // rule: endpoint.34, break.26
  test('holds every site for a key that is for all of them', async () => {
    const sites = [await made(), await made()];
    const reader = await makeKey(['sites:read'], ['*']);
    const { data } = await request('GET', '/sites?per_page=100', { key: reader });
    const slugs = data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(sites.map(({ slug }) => slug)));
  });
});

describe('update', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await makeSite({ settings: { a: 1, nested: { x: 1, y: 2 } } });
  });
  const patch = (body: unknown) => site.request('PATCH', '', body);

  // rule: endpoint.36, break.28
  test('what is named changes', async () => {
    const { data: before } = await site.request('GET', '');
    const { data } = await patch({ name: 'Renamed' });
    expect(data).toEqual({ ...before, name: 'Renamed', updated_at: data.updated_at });
    expect((await site.request('GET', '')).data).toEqual(data);
  });

  test('settings do not grow beyond their limit by many changes', async () => {
    const { slug } = await made({ settings: { a: 'x'.repeat(40_000) } });
    const change = (settings: unknown) => request('PATCH', `/sites/${slug}`, { key, body: { settings } });
    const refused = await change({ b: 'é'.repeat(13_000) });
    expect([refused.status, refused.error.details[0].path]).toEqual([422, 'settings']);
    expect((await change({ a: null, b: 'é'.repeat(13_000) })).status).toBe(200);
  });

  test('settings merge, null removes', async () => {
    const { data } = await patch({ settings: { b: true, a: null, nested: { x: null } } });
    expect(data.settings).toEqual({ b: true, nested: { y: 2 } });
  });

  test('the default locale must be one of the site', async () => {
    expect((await patch({ default_locale: 'de' })).error.details[0].path).toBe('default_locale');
    await site.request('POST', '/languages', { locale: 'de' });
    expect((await patch({ default_locale: 'de' })).data.default_locale).toBe('de');
  });

  test('a domain is set, refused when taken, and taken off', async () => {
    const domain = `${freshSlug()}.example`;
    expect((await patch({ domain })).data.url).toBe(`https://${domain}/`);
    const other = await makeSite();
    expect((await other.request('PATCH', '', { domain })).error.code).toBe('domain_taken');
    expect((await patch({ domain })).status).toBe(200);
    expect((await patch({ domain: null })).data.domain).toBeNull();
    expect((await other.request('PATCH', '', { domain })).status).toBe(200);
  });

  test('the record can be sent back; an unknown member is named', async () => {
    const { data } = await site.request('GET', '');
    const back = await patch(data);
    expect(back.data).toEqual({ ...data, updated_at: back.data.updated_at });
    expect((await patch({ nonsense: 1 })).error.details[0].path).toBe('nonsense');
  });

  test('ten changes of different settings at once are all kept', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => patch({ settings: { [`k${i}`]: i } })));
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { data } = await site.request('GET', '');
    expect(Object.keys(data.settings).filter((name) => name.startsWith('k'))).toHaveLength(10);
  });
});

test('deleting needs admin and takes everything along', async () => {
  const site = await makeSite({ domain: `${freshSlug()}.example` });
  const { data: item } = await site.request('POST', '/content', { title: 'Gone' });
  const writer = await makeKey(['sites:write', 'sites:read'], [site.slug]);
  expect((await site.request('DELETE', '', undefined, { key: writer })).status).toBe(403);
  const reply = await site.request('DELETE', '');
  expect([reply.status, reply.data]).toEqual([200, { id: site.id, deleted: true }]);
  expect((await site.request('GET', '')).status).toBe(404);
  expect((await site.request('DELETE', '')).status).toBe(404);
  expect((await create({ name: 'Again', slug: site.slug })).status).toBe(201);
  expect((await site.request('GET', `/content/${item.id}`)).status).toBe(404);
  expect((await site.request('GET', '/content')).json.pagination.total).toBe(0);
});

// rule: service.8
test.each(['%00', '%ff', '%', 'UPPER', '..%2f', 'x'.repeat(1000)])('a site %s is 404', async (slug) => {
  for (const path of ['', '/content', '/shell/files']) {
    expect((await request('GET', `/sites/${slug}${path}`, { key })).status).toBe(404);
  }
});
