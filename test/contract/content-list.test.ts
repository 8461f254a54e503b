import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';

let site: TestSite;
const count = 23;

beforeAll(async () => {
  site = await makeSite();
  await site.request('POST', '/languages', { locale: 'de' });
  for (let n = 1; n <= count; n++) {
    await site.request('POST', '/content', { title: `Number ${String(n).padStart(2, '0')}` });
  }
});
afterAll(closeStack);

const list = (query = '') => site.request('GET', `/content${query}`);
const titles = ({ data }: { data: { title: string }[] }) => data.map(({ title }) => title);

describe('pages', () => {
  // rule: endpoint.3, endpoint.45, break.16
  test('newest first, twenty a page', async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json).sort()).toEqual(['data', 'pagination', 'success']);
    expect(reply.json.pagination).toEqual({ total: count, page: 1, per_page: 20, total_pages: 2 });
    expect(titles(reply)).toEqual(Array.from({ length: 20 }, (_, i) => `Number ${String(count - i).padStart(2, '0')}`));
  });

  // rule: endpoint.3, break.16
  test('a change does not make an item newer', async () => {
    const [first] = (await list('?per_page=1&page=23')).data;
    expect((await site.request('PATCH', `/content/${first.id}`, { excerpt: 'changed' })).status).toBe(200);
    expect(titles(await list('?per_page=1&page=23'))).toEqual(['Number 01']);
  });

  // rule: endpoint.44
  test('all pages together are every item once', async () => {
    const seen = new Set<string>();
    for (let page = 1; page <= 5; page++) {
      const reply = await list(`?per_page=5&page=${page}`);
      expect(reply.json.pagination).toEqual({ total: count, page, per_page: 5, total_pages: 5 });
      for (const { id } of reply.data) seen.add(id);
    }
    expect(seen.size).toBe(count);
  });

  // rule: endpoint.44
  test.each(['0', '-1', '1.5', 'abc', '', '1e2', '0x1', '1 ', '+1', '１', 'null', '-0', '1,2'])(
    'page and per_page %p are 422',
    async (value) => {
      for (const name of ['page', 'per_page']) {
        const reply = await list(`?${name}=${encodeURIComponent(value)}`);
        expect([reply.status, reply.error?.details[0].path]).toEqual([422, name]);
      }
    },
  );

  // rule: endpoint.45, limit.7
  test.each([
    ['100', 100],
    ['101', 100],
    ['100000', 100],
    ['99999999999999999999999999', 100],
    ['1', 1],
  ])('per_page %s is served as %d', async (given, served) => {
    const reply = await list(`?per_page=${given}`);
    expect(reply.json.pagination).toEqual({
      total: count,
      page: 1,
      per_page: served,
      total_pages: Math.ceil(count / served),
    });
    expect(reply.data).toHaveLength(Math.min(count, served));
  });

  test.each([
    ['3', 3],
    ['1000000', 1_000_000],
    ['1099511627777', 1_099_511_627_777],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', Number.MAX_SAFE_INTEGER],
    ['99999999999999999999999999', Number.MAX_SAFE_INTEGER],
  ])('page %s is past the end: empty, with true numbers', async (asked, page) => {
    const reply = await list(`?page=${asked}`);
    expect([reply.status, reply.data]).toEqual([200, []]);
    expect(reply.json.pagination).toEqual({ total: count, page, per_page: 20, total_pages: 2 });
  });

  test('an empty list', async () => {
    const fresh = await makeSite();
    const { json } = await fresh.request('GET', '/content');
    expect(json).toEqual({ success: true, data: [], pagination: { total: 0, page: 1, per_page: 20, total_pages: 0 } });
  });

  test('unknown parameters are ignored', async () => {
    expect((await list('?utm_source=x')).json.pagination.total).toBe(count);
  });

  test('the total follows the trash and comes back, counted by many at once', async () => {
    const fresh = await makeSite();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => fresh.request('POST', '/content', { title: `T${i}` })),
    );
    const total = async () => (await fresh.request('GET', '/content')).json.pagination.total;
    expect(await total()).toBe(12);
    await Promise.all(made.slice(0, 5).map(({ data }) => fresh.request('DELETE', `/content/${data.id}`)));
    expect(await total()).toBe(7);
    await fresh.request('POST', `/content/${made[0]!.data.id}/restore`);
    await fresh.request('DELETE', `/content/${made[1]!.data.id}/purge`);
    expect(await total()).toBe(8);
  });
});

describe('q', () => {
  let shop: TestSite;
  beforeAll(async () => {
    shop = await makeSite();
  });
  const find = async (q: string) => titles(await shop.request('GET', `/content?${new URLSearchParams({ q })}`));
  const add = async (title: string, body_html: string) =>
    (await shop.request('POST', '/content', { title, body_html })).data;

  test('searches the readable text: through markup and entities, and no markup itself', async () => {
    await add(
      'Marked up',
      '<p>A <strong>dry</strong> stone\nwall &amp; a <a href="https://example.com/cairn">gate</a></p><p>Next</p>',
    );
    for (const q of ['a dry stone wall & a gate', 'GATE NEXT']) expect(await find(q)).toEqual(['Marked up']);
    for (const q of ['strong', 'href', 'cairn', '<p>', '&amp;']) expect(await find(q)).toEqual([]);
  });

  test('searches the whole of a large body, and what it has become', async () => {
    const filler = '<p>moss and fern</p>'.repeat(40_000);
    const { id } = await add('Large', `${filler}<p>the last lichen</p>`);
    expect(await find('last lichen')).toEqual(['Large']);
    await shop.request('PATCH', `/content/${id}`, { title: 'Larger' });
    expect(await find('last lichen')).toEqual(['Larger']);
    await shop.request('PATCH', `/content/${id}`, { body_html: `${filler}<p>the first heather</p>` });
    expect([await find('last lichen'), await find('first heather')]).toEqual([[], ['Larger']]);
    await shop.request('PATCH', `/content/${id}`, { body_html: '' });
    expect(await find('moss')).toEqual([]);
  });

  test('an item in the trash is not found, a restored one is, of a purged one nothing stays', async () => {
    const { id } = await add('Gone', '<p>whinstone</p>');
    await shop.request('DELETE', `/content/${id}`);
    expect(await find('whinstone')).toEqual([]);
    await shop.request('POST', `/content/${id}/restore`);
    expect(await find('whinstone')).toEqual(['Gone']);
    await shop.request('DELETE', `/content/${id}`);
    await shop.request('DELETE', `/content/${id}/purge`);
    expect(await stackDatabase().query('SELECT body FROM content_texts WHERE content_id = $1', [id])).toEqual([]);
  });
});

describe('filters', () => {
  let shop: TestSite;
  beforeAll(async () => {
    shop = await makeSite();
    await shop.request('POST', '/languages', { locale: 'de' });
    const items = [
      { title: 'Old news', status: 'published', tags: ['news', 'old'], body_html: '<p>The granite hill</p>' },
      { title: 'A 50% off_er', type: 'page', status: 'draft', excerpt: 'Back\\slash' },
      { title: 'Neuigkeit', locale: 'de', status: 'published', tags: ['news'] },
      { title: 'Planned', status: 'scheduled', scheduled_at: '2031-01-01T00:00:00Z' },
      { title: 'Put away', status: 'archived', type: 'recipe', tags: ['News'] },
    ];
    for (const item of items) expect((await shop.request('POST', '/content', item)).status).toBe(201);
  });
  const find = async (query: Record<string, string>) => {
    const reply = await shop.request('GET', `/content?${new URLSearchParams(query)}`);
    expect(reply.status).toBe(200);
    expect(reply.json.pagination.total).toBe(reply.data.length);
    return titles(reply);
  };

  test.each<[Record<string, string>, string[]]>([
    [{ status: 'published' }, ['Neuigkeit', 'Old news']],
    [{ status: 'scheduled' }, ['Planned']],
    [{ type: 'page' }, ['A 50% off_er']],
    [{ type: 'post' }, ['Planned', 'Neuigkeit', 'Old news']],
    [{ type: 'unheard-of' }, []],
    [{ locale: 'de' }, ['Neuigkeit']],
    [{ locale: 'DE' }, ['Neuigkeit']],
    [{ locale: 'fr' }, []],
    [{ tag: 'news' }, ['Neuigkeit', 'Old news']],
    [{ tag: 'new' }, []],
    [{ status: 'published', tag: 'news', locale: 'en' }, ['Old news']],
    [{ q: 'old' }, ['Old news']],
    [{ q: 'OLD NEWS' }, ['Old news']],
    [{ q: 'granite' }, ['Old news']],
    [{ q: '50%' }, ['A 50% off_er']],
    [{ q: '%' }, ['A 50% off_er']],
    [{ q: '_' }, ['A 50% off_er']],
    [{ q: '\\' }, ['A 50% off_er']],
    [{ q: 'no such words' }, []],
    [{ q: "'; DROP TABLE content; --" }, []],
    [{ updated_since: '2000-01-01T00:00:00Z', status: 'draft' }, ['A 50% off_er']],
    [{ updated_since: '2999-01-01T00:00:00Z' }, []],
  ])('%p', async (query, expected) => {
    expect(await find(query)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['status', 'live'],
    ['status', 'published,draft'],
    ['locale', 'not a locale'],
    ['updated_since', '2026-01-01'],
    ['updated_since', '2026-01-01T00:00:00+01:00'],
    ['updated_since', 'yesterday'],
    ['q', 'x'.repeat(10_000)],
    ['tag', 'a\0b'],
    ['q', '\0'],
  ])('%s=%p is 422', async (name, value) => {
    const reply = await shop.request('GET', `/content?${new URLSearchParams({ [name]: value })}`);
    expect([reply.status, reply.error?.details[0].path]).toEqual([422, name]);
  });

  test('updated_since takes what changed at that second or later', async () => {
    const { data } = await shop.request('POST', '/content', { title: 'Touched' });
    await stackDatabase().query(`UPDATE content SET updated_at = '2040-05-05T05:05:05Z' WHERE id = $1`, [data.id]);
    expect(await find({ updated_since: '2040-05-05T05:05:05Z' })).toEqual(['Touched']);
    expect(await find({ updated_since: '2040-05-05T05:05:06Z' })).toEqual([]);
    await shop.request('DELETE', `/content/${data.id}`);
    expect(await find({ updated_since: '2040-05-05T05:05:05Z' })).toEqual([]);
  });
});
