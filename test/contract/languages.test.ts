import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const add = (body: unknown) => site.request('POST', '/languages', body);
const localesOf = async () => (await site.request('GET', '')).data.locales;

// rule: endpoint.30
test('a locale is added with its name, canonically spelled', async () => {
  const german = await add({ locale: 'de' });
  expect([german.status, german.data]).toEqual([201, { locale: 'de', name: 'German', default: false }]);
  const named = await add({ locale: 'PT-br', name: 'Português' });
  expect([named.status, named.data]).toEqual([201, { locale: 'pt-BR', name: 'Português', default: false }]);
  expect(await localesOf()).toEqual(['en', 'de', 'pt-BR']);
});

test("a type's name is no locale: its items are where the locale's pages would be", async () => {
  expect((await site.request('POST', '/content', { title: 'Brauð', type: 'is' })).status).toBe(201);
  const refused = await add({ locale: 'IS' });
  expect([refused.status, refused.error.code]).toEqual([409, 'conflict']);
  expect(await localesOf()).not.toContain('is');
});

test('the list says which is the default', async () => {
  const { json } = await site.request('GET', '/languages');
  expect(json.data).toContainEqual({ locale: 'en', name: 'English', default: true });
  expect(json.data.filter((language: { default: boolean }) => language.default)).toHaveLength(1);
});

test.each([
  undefined,
  null,
  '',
  'x',
  'english',
  'en_US',
  'en-',
  'e n',
  '../de',
  'en-US-u-ca-buddhist',
  'x-private',
  7,
  ['de'],
])('the locale %p is refused', async (locale) => {
  const reply = await add({ locale });
  expect([reply.status, reply.error?.code, reply.error?.details[0].path]).toEqual([422, 'validation_failed', 'locale']);
});

test('names and unknown members are checked', async () => {
  expect((await add({ locale: 'it', name: '' })).error.details[0].path).toBe('name');
  expect((await add({ locale: 'it', label: 'x' })).error.details[0].path).toBe('label');
});

test('a taken locale is 409, however it is spelled', async () => {
  await add({ locale: 'fr-CA' });
  for (const locale of ['fr-CA', 'FR-ca', 'en']) {
    const reply = await add({ locale });
    expect([reply.status, reply.error.code]).toEqual([409, 'locale_taken']);
  }
});

test('ten at once are all there, one of ten alike is made', async () => {
  const different = ['ar', 'cs', 'da', 'el', 'es', 'fi', 'he', 'hu', 'ja', 'ko'];
  const replies = await Promise.all(different.map((locale) => add({ locale })));
  expect(replies.map(({ status }) => status)).toEqual(different.map(() => 201));
  expect(await localesOf()).toEqual(expect.arrayContaining(different));
  const alike = await Promise.all(Array.from({ length: 10 }, () => add({ locale: 'sv' })));
  expect(alike.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
});

// rule: endpoint.31, break.28
test('a locale is removed; the default one stays; an unknown one is 404', async () => {
  await add({ locale: 'nl' });
  const removed = await site.request('DELETE', '/languages/NL');
  expect([removed.status, removed.data]).toEqual([200, { id: 'nl', deleted: true }]);
  expect(await localesOf()).not.toContain('nl');
  expect((await site.request('DELETE', '/languages/nl')).status).toBe(404);
  const refused = await site.request('DELETE', '/languages/en');
  expect([refused.status, refused.error.code]).toEqual([409, 'default_locale']);
  for (const unknown of ['xx', 'nonsense-locale-text', '%00', '%ff', '..%2F']) {
    expect((await site.request('DELETE', `/languages/${unknown}`)).status).toBe(404);
  }
});

test('items of a removed locale stay stored', async () => {
  await add({ locale: 'pl' });
  const { data } = await site.request('POST', '/content', { title: 'Dzień dobry', locale: 'pl' });
  await site.request('DELETE', '/languages/pl');
  expect((await site.request('GET', `/content/${data.id}`)).data).toEqual(data);
  expect((await site.request('POST', '/content', { title: 'T', locale: 'pl' })).status).toBe(422);
});

test('pages of a new default locale make room for the other locales', async () => {
  const other = await makeSite();
  const create = async (body: object) => (await other.request('POST', '/content', { type: 'page', ...body })).data;
  await other.request('POST', '/languages', { locale: 'fr' });
  const page = await create({ title: 'DE', locale: 'fr', slug: 'de' });
  await other.request('POST', '/languages', { locale: 'de' });
  expect((await other.request('PATCH', '', { default_locale: 'fr' })).status).toBe(200);
  const { slug, url } = (await other.request('GET', `/content/${page.id}`)).data;
  expect([page.slug, slug]).toEqual(['de', 'de-2']);
  expect(url).toMatch(/\/de-2\/$/);
});

describe('a page, or a type, that comes at once with the locale of its name', () => {
  const names = ['fr', 'it', 'es', 'pt', 'nl', 'pl'];
  const withLocale = async (site: TestSite, name: string, others: (() => Promise<unknown>)[]) => {
    const add = () => site.request('POST', '/languages', { locale: name });
    const [added] = await Promise.all([add(), ...others.map((other) => other())]);
    return added.status === 201;
  };
  const segmentsOf = async (site: TestSite) => {
    const { json } = await site.request('GET', '/content?per_page=100');
    return json.data.map(({ type, slug }: { type: string; slug: string }) => (type === 'page' ? slug : type));
  };

  test.each<[string, (site: TestSite, name: string) => Promise<() => Promise<unknown>>]>([
    ['by create', async (site, slug) => () => site.request('POST', '/content', { title: 'x', type: 'page', slug })],
    [
      'by create, of the type',
      async (site, type) => () => site.request('POST', '/content', { title: 'x', type, status: 'published' }),
    ],
    [
      'by PATCH',
      async (site, slug) => {
        const { data } = await site.request('POST', '/content', { title: 'x', type: 'page' });
        return () => site.request('PATCH', `/content/${data.id}`, { slug });
      },
    ],
    [
      'by reference',
      async (site, slug) => () => site.request('PUT', `/content/by-ref/${slug}`, { title: 'x', type: 'page', slug }),
    ],
    [
      'by restore',
      async (site, slug) => {
        const { data } = await site.request('POST', '/content', { title: 'x', type: 'page', slug });
        await site.request('DELETE', `/content/${data.id}`);
        return () => site.request('POST', `/content/${data.id}/restore`);
      },
    ],
  ])('%s never shares its address', async (_way, prepare) => {
    const site = await makeSite();
    for (const name of names) {
      const added = await withLocale(site, name, [await prepare(site, name)]);
      if (added) expect(await segmentsOf(site)).not.toContain(name);
    }
  });
});
