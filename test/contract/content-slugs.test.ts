import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  for (const locale of ['de', 'pt-BR']) await site.request('POST', '/languages', { locale });
});
afterAll(closeStack);

const create = async (body: Record<string, unknown>) => {
  const reply = await site.request('POST', '/content', body);
  expect(reply.status).toBe(201);
  return reply.data;
};
const change = async (id: string, body: unknown) => (await site.request('PATCH', `/content/${id}`, body)).data;
const numbered = (slug: string, count: number) =>
  Array.from({ length: count }, (_, index) => (index === 0 ? slug : `${slug}-${index + 1}`));

describe('derived', () => {
  // rule: content.3
  test.each([
    ['Hello, World!', 'hello-world'],
    ['  Spaces   and -- dashes ', 'spaces-and-dashes'],
    ['Crème brûlée à la carte', 'creme-brulee-a-la-carte'],
    ['Straße & Übermut', 'strasse-ubermut'],
    ['Привет мир', 'privet-mir'],
    ['100% Café', '100-cafe'],
    ['UPPER_case', 'upper-case'],
    ["Don't stop", 'dont-stop'],
    ['C++/C#', 'c-c'],
    ['../../etc/passwd', 'etc-passwd'],
    ['e\u0301te\u0301', 'ete'],
  ])('%s → %s', async (title, slug) => {
    const fresh = await makeSite();
    expect((await fresh.request('POST', '/content', { title })).data.slug).toBe(slug);
  });

  test.each(['北京欢迎你', '日本語', 'مرحبا', '한국어', '🎉🎉', '!!!', '—', '\u200b', '。'])(
    '%p is never empty',
    async (title) => {
      expect((await create({ title })).slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    },
  );

  test('at most 120 characters, with its counter too', async () => {
    const title = 'x'.repeat(300);
    expect((await create({ title })).slug).toBe('x'.repeat(120));
    expect((await create({ title })).slug).toBe(`${'x'.repeat(118)}-2`);
    expect((await create({ title })).slug).toBe(`${'x'.repeat(118)}-3`);
    const words = (await create({ title: 'ab '.repeat(100) })).slug;
    expect(words.length).toBeLessThanOrEqual(120);
    expect(words).toMatch(/[a-z]$/);
  });
});

describe('given', () => {
  test.each([
    ['My Slug!', 'my-slug'],
    ['ÄÖÜ', 'aou'],
    ['/posts/x/', 'posts-x'],
    ['Already-Fine-1', 'already-fine-1'],
  ])('%s is normalised to %s', async (slug, expected) => {
    expect((await create({ title: 'T', slug })).slug).toBe(expected);
  });

  test('absent, null and empty are derived', async () => {
    const title = `Derived ${randomUUID().slice(0, 8)}`;
    const derived = title.toLowerCase().replaceAll(' ', '-');
    expect((await create({ title, slug: null })).slug).toBe(derived);
    expect((await create({ title, slug: '' })).slug).toBe(`${derived}-2`);
    expect((await create({ title })).slug).toBe(`${derived}-3`);
  });
});

describe('taken', () => {
  // rule: content.3, state.1
  test('one after the other: -2, -3, whether derived or given', async () => {
    const slugs = [];
    for (const body of [{ title: 'Same thing' }, { title: 'Same thing' }, { title: 'Other', slug: 'same-thing' }]) {
      slugs.push((await create(body)).slug);
    }
    expect(slugs).toEqual(numbered('same-thing', 3));
  });

  // rule: content.3
  test('twenty at once on both gateways take twenty different ones without a gap', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'At once' })));
    expect(made.map(({ slug }) => slug).sort()).toEqual(numbered('at-once', 20).sort());
  });

  test('twenty at once on PATCH', async () => {
    const items = [];
    for (let i = 0; i < 20; i++) items.push(await create({ title: `To move ${i}` }));
    const moved = await Promise.all(items.map(({ id }) => change(id, { slug: 'moved here' })));
    expect(moved.map(({ slug }) => slug).sort()).toEqual(numbered('moved-here', 20).sort());
  });

  test('ten restored at once', async () => {
    const items = [];
    for (let i = 0; i < 10; i++) {
      const item = await create({ title: 'Comes back' });
      await site.request('DELETE', `/content/${item.id}`);
      items.push(item);
    }
    expect(items.map(({ slug }) => slug)).toEqual(Array(10).fill('comes-back'));
    const restored = await Promise.all(items.map(({ id }) => site.request('POST', `/content/${id}/restore`)));
    expect(restored.map(({ data }) => data.slug).sort()).toEqual(numbered('comes-back', 10).sort());
  });

  test('a base that itself ends in a number', async () => {
    expect((await create({ title: 'Part 2' })).slug).toBe('part-2');
    expect((await create({ title: 'Part' })).slug).toBe('part');
    expect((await create({ title: 'Part' })).slug).toBe('part-3');
    expect((await create({ title: 'Part 2' })).slug).toBe('part-2-2');
  });

  test('another locale, the trash and another site take nothing', async () => {
    const first = await create({ title: 'Free again' });
    expect((await create({ title: 'Free again', locale: 'de' })).slug).toBe('free-again');
    await site.request('DELETE', `/content/${first.id}`);
    expect((await create({ title: 'Free again' })).slug).toBe('free-again');
    const other = await makeSite();
    expect((await other.request('POST', '/content', { title: 'Free again' })).data.slug).toBe('free-again');
  });
});

// rule: content.3, break.23
test('counters count what the site holds in the locale outside the trash, and nothing else', async () => {
  const other = await makeSite();
  const many = async (count: number, members: object = {}, where = site) => {
    const slugs = [];
    for (let n = 0; n < count; n++)
      slugs.push((await where.request('POST', '/content', { title: 'Counted', ...members })).data.slug);
    return slugs;
  };
  expect(await many(3)).toEqual(numbered('counted', 3));
  expect(await many(2, { locale: 'de' })).toEqual(numbered('counted', 2));
  expect(await many(2, {}, other)).toEqual(numbered('counted', 2));
  const moved = await create({ title: 'Elsewhere', locale: 'de' });
  expect((await change(moved.id, { slug: 'counted-3' })).slug).toBe('counted-3');
  const [second] = (await site.request('GET', '/content?q=Counted&locale=en')).data.filter(
    ({ slug }: { slug: string }) => slug === 'counted-2',
  );
  await site.request('DELETE', `/content/${second.id}`);
  expect(await many(2)).toEqual(['counted-2', 'counted-4']);
});

describe('on PATCH', () => {
  test('a title alone leaves the slug as it is', async () => {
    const item = await create({ title: 'Keeps its slug' });
    expect((await change(item.id, { title: 'Another title' })).slug).toBe('keeps-its-slug');
  });

  test('its own slug is not taken by itself', async () => {
    const item = await create({ title: 'Mine alone' });
    expect((await change(item.id, { slug: 'Mine alone' })).slug).toBe('mine-alone');
  });

  test('moving to a locale where the slug is taken gives a counter', async () => {
    await create({ title: 'Both', locale: 'de' });
    const item = await create({ title: 'Both' });
    expect((await change(item.id, { locale: 'de' })).slug).toBe('both-2');
  });
});

describe("paths of the site's own", () => {
  test.each([
    ['posts', 'posts-2'],
    ['Posts', 'posts-3'],
    ['de', 'de-2'],
    ['pt-BR', 'pt-br-2'],
    ['en', 'en-2'],
  ])('a page %s becomes %s', async (slug, expected) => {
    expect((await create({ title: 'T', type: 'page', slug })).slug).toBe(expected);
  });

  test('they are free for a post, and taken again when it becomes a page', async () => {
    const fresh = await makeSite();
    const { data } = await fresh.request('POST', '/content', { title: 'Posts' });
    expect(data.slug).toBe('posts');
    const patched = await fresh.request('PATCH', `/content/${data.id}`, { type: 'page' });
    expect(patched.data.slug).toBe('posts-2');
  });

  test('a page restored after its slug became a locale gets a counter', async () => {
    const fresh = await makeSite();
    const { data } = await fresh.request('POST', '/content', { title: 'fr', type: 'page' });
    expect(data.slug).toBe('fr');
    await fresh.request('DELETE', `/content/${data.id}`);
    expect((await fresh.request('POST', '/languages', { locale: 'fr' })).status).toBe(201);
    expect((await fresh.request('POST', `/content/${data.id}/restore`)).data.slug).toBe('fr-2');
  });
});
