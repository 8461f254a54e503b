import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  await site.request('POST', '/languages', { locale: 'de' });
});
afterAll(closeStack);

const create = (body: unknown) => site.request('POST', '/content', body);
const unique = (text: string) => `${text} ${randomUUID().slice(0, 8)}`;
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

async function expectInvalid(body: unknown, ...paths: string[]): Promise<void> {
  const reply = await create(body);
  expect([reply.status, reply.error?.code]).toEqual([422, 'validation_failed']);
  expect(reply.json.success).toBe(false);
  expect(typeof reply.error.message).toBe('string');
  const named = reply.error.details.map((detail: { path: string }) => detail.path);
  expect(named).toEqual(expect.arrayContaining(paths));
}

// rule: content.1, content.2, content.5, state.1, status.200
test('the title alone is enough, and every member of the record is there', async () => {
  const title = unique('Only a title');
  const reply = await create({ title });
  expect(reply.status).toBe(201);
  expect(Object.keys(reply.json)).toEqual(['success', 'data']);
  const slug = title.toLowerCase().replaceAll(' ', '-');
  expect(reply.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: 'post',
    title,
    slug,
    locale: 'en',
    url: `${stack.edges[0]}/sites/${site.slug}/posts/${slug}/`,
    body_html: '',
    excerpt: null,
    author: null,
    status: 'draft',
    scheduled_at: null,
    published_at: null,
    featured_media_id: null,
    seo_title: null,
    seo_description: null,
    canonical_url: null,
    tags: [],
    fields: {},
    source_ref: null,
    translation_of: null,
    created_at: expect.stringMatching(timestampPattern),
    updated_at: expect.stringMatching(timestampPattern),
    warnings: [],
  });
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/);
});

// rule: endpoint.4, endpoint.5, break.23
test('every member is stored as given and read back the same', async () => {
  const picture = await upload(site, await jpeg());
  const original = await create({ title: unique('A soup in English') });
  const members = {
    type: 'recipe',
    title: unique('A soup'),
    slug: `soup-${randomUUID().slice(0, 8)}`,
    locale: 'de',
    body_html: '<p>Water &amp; salt</p>',
    excerpt: 'A "soup" <b>',
    author: 'Ada Löwe',
    status: 'archived',
    scheduled_at: '2031-02-03T04:05:06Z',
    published_at: '2020-01-02T03:04:05Z',
    featured_media_id: picture.data.id,
    seo_title: 'SEO',
    seo_description: 'SEO description',
    canonical_url: 'https://first.example/soup?a=1',
    tags: ['soup', 'häppchen'],
    source_ref: randomUUID(),
    translation_of: original.data.id,
  };
  const { status, data } = await create(members);
  expect(status).toBe(201);
  expect(data).toMatchObject(members);
  expect(data.url).toBe(`${stack.edges[0]}/sites/${site.slug}/de/recipe/${members.slug}/`);
  expect((await site.request('GET', `/content/${data.id}`)).data).toEqual(data);
});

// rule: content.1
test('a page stands at the root', async () => {
  const { data } = await create({ title: unique('About'), type: 'page' });
  expect(data.url).toBe(`${stack.edges[0]}/sites/${site.slug}/${data.slug}/`);
});

describe('the title', () => {
  // rule: content.2
  test.each([[undefined], [null], [''], ['   '], [7], [['a']], [{}], [true]])('%p is refused', (title) =>
    expectInvalid({ title }, 'title'),
  );
});

describe('types of members', () => {
  test.each([
    ['type', 'Post'],
    ['type', '1st'],
    ['type', 'a b'],
    ['type', ''],
    ['type', '../etc'],
    ['type', 7],
    ['body_html', 7],
    ['body_html', ['<p>']],
    ['slug', 7],
    ['locale', 'no locale'],
    ['locale', 'fr'],
    ['locale', ''],
    ['excerpt', 7],
    ['author', {}],
    ['status', 'live'],
    ['status', 'Published'],
    ['status', ''],
    ['status', 1],
    ['featured_media_id', 'nonsense'],
    ['featured_media_id', '00000000-0000-4000-8000-000000000000'],
    ['translation_of', 'nonsense'],
    ['translation_of', '00000000-0000-4000-8000-000000000000'],
    ['seo_title', []],
    ['seo_description', 1],
    ['canonical_url', 'javascript:alert(1)'],
    ['canonical_url', '/soup/'],
    ['tags', 'a'],
    ['tags', {}],
    ['source_ref', ''],
    ['source_ref', 5],
  ])('%s: %p is refused and named', (member, value) => expectInvalid({ title: 'T', [member]: value }, member));

  test.each([
    ['title', 2000],
    ['excerpt', 20_000],
    ['author', 1000],
  ])('%s: %d characters are taken, however many bytes they are, and one more is refused', async (member, most) => {
    expect((await create({ title: 'T', [member]: '漢'.repeat(most) })).status).toBe(201);
    await expectInvalid({ title: 'T', [member]: 'a'.repeat(most + 1) }, member);
  });

  test.each(['a\u2028b', '\u202eabc', 'a\tb', '{{ 7*7 }}', "'; DROP TABLE content;--", '\u007f', '\ufffe'])(
    'the title %j comes back as it was',
    async (title) => {
      expect((await create({ title })).data.title).toBe(title);
    },
  );

  test('a wrong element of tags is named with its place', () =>
    expectInvalid({ title: 'T', tags: ['a', 1] }, 'tags.1'));

  // rule: status.422
  test('every fault is named at once', () =>
    expectInvalid({ status: 'x', scheduled_at: 'y', nope: 1 }, 'title', 'status', 'scheduled_at', 'nope'));
});

describe('unknown and read-only members', () => {
  test('an unknown member is named', async () => {
    await expectInvalid({ title: 'T', body: '<p>', Title: 'x' }, 'body', 'Title');
  });

  test('a record that was read can be sent to create its copy', async () => {
    const { data } = await create({ title: unique('Original'), body_html: '<p>x</p>', tags: ['a'] });
    const copy = await create(data);
    expect(copy.status).toBe(201);
    expect(copy.data.id).not.toBe(data.id);
    expect(copy.data.slug).toBe(`${data.slug}-2`);
  });

  test('read-only members change nothing', async () => {
    const { status, data } = await create({
      title: 'T',
      id: randomUUID(),
      url: 'https://example.com/',
      created_at: 'yesterday',
      updated_at: 5,
      warnings: [{ code: 'x', message: 'y' }],
    });
    expect(status).toBe(201);
    expect(data.created_at).toMatch(timestampPattern);
    expect(data.warnings).toEqual([]);
    expect(data.url).toContain(site.slug);
  });
});

describe('timestamps', () => {
  const wrong = [
    '2026-11-20T10:00:00+02:00',
    '2026-11-20T10:00:00+00:00',
    '2026-11-20T10:00:00-00:00',
    '2026-11-20t10:00:00Z',
    '2026-11-20T10:00:00z',
    '2026-11-20 10:00:00Z',
    '2026-11-20T10:00:00',
    '2026-11-20T10:00:00.000Z',
    '2026-11-20T10:00Z',
    '2026-11-20',
    '20261120T100000Z',
    '2026-02-30T10:00:00Z',
    '2025-02-29T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-00-01T10:00:00Z',
    '2026-11-31T10:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:60:00Z',
    '2026-11-20T10:00:60Z',
    '12026-11-20T10:00:00Z',
    '+002026-11-20T10:00:00Z',
    '0000-01-01T00:00:00Z',
    ' 2026-11-20T10:00:00Z',
    '2026-11-20T10:00:00Z\n',
    '２０２６-11-20T10:00:00Z',
    'now',
    '',
    1795860000,
    {},
  ];
  // rule: content.6, content.7, content.9, error.3, break.24
  test.each(wrong)('%p is rejected, not converted', async (value) => {
    await expectInvalid({ title: 'T', published_at: value }, 'published_at');
    await expectInvalid({ title: 'T', status: 'scheduled', scheduled_at: value }, 'scheduled_at');
  });

  const sound = ['2024-02-29T23:59:59Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'];
  test.each([...sound, '1969-12-31T23:59:59Z', '1900-01-01T00:00:00Z', '0099-06-01T12:00:00Z'])(
    '%s comes back as it was',
    async (published_at) => {
      const reply = await create({ title: 'T', published_at });
      expect([reply.status, reply.data?.published_at]).toEqual([201, published_at]);
    },
  );
});

describe('states', () => {
  // rule: content.5, state.2
  test.each(['draft', 'published', 'archived'])('%s is taken as given', async (status) => {
    expect((await create({ title: 'State', status })).data.status).toBe(status);
  });

  // rule: content.6, state.12, error.4
  test('scheduled needs a time', async () => {
    await expectInvalid({ title: 'T', status: 'scheduled' }, 'scheduled_at');
    await expectInvalid({ title: 'T', status: 'scheduled', scheduled_at: null }, 'scheduled_at');
    const reply = await create({ title: 'T', status: 'scheduled', scheduled_at: '2031-01-01T00:00:00Z' });
    expect([reply.status, reply.data.status, reply.data.published_at]).toEqual([201, 'scheduled', null]);
  });

  test('a time alone schedules nothing', async () => {
    const { data } = await create({ title: 'T', scheduled_at: '2031-01-01T00:00:00Z' });
    expect([data.status, data.scheduled_at]).toEqual(['draft', '2031-01-01T00:00:00Z']);
  });

  // rule: content.7
  test('becoming published sets published_at when it is absent, and keeps a given one', async () => {
    const before = Date.now() - 1000;
    const { data } = await create({ title: 'T', status: 'published' });
    expect(Date.parse(data.published_at)).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    const dated = await create({ title: 'T', status: 'published', published_at: '2001-01-01T00:00:00Z' });
    expect(dated.data.published_at).toBe('2001-01-01T00:00:00Z');
  });
});

describe('references', () => {
  test('a source_ref that is taken is 409', async () => {
    const source_ref = randomUUID();
    expect((await create({ title: 'T', source_ref })).status).toBe(201);
    const again = await create({ title: 'T', source_ref });
    expect([again.status, again.error.code]).toEqual([409, 'conflict']);
  });

  test('a translation names the item in the default locale', async () => {
    const original = await create({ title: 'Original' });
    const made = await create({ title: 'Übersetzung', locale: 'de', translation_of: original.data.id });
    expect([made.status, made.data.translation_of]).toEqual([201, original.data.id]);
    await expectInvalid({ title: 'T', translation_of: made.data.id }, 'translation_of');
  });

  // rule: break.23
  test('media and items of another site are unknown here', async () => {
    const other = await makeSite();
    const { data } = await other.request('POST', '/content', { title: 'Elsewhere' });
    await expectInvalid({ title: 'T', translation_of: data.id }, 'translation_of');
    const picture = await upload(other, await jpeg());
    expect(picture.status).toBe(201);
    await expectInvalid({ title: 'T', featured_media_id: picture.data.id }, 'featured_media_id');
  });
});
