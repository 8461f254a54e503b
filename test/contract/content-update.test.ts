import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  await site.request('POST', '/languages', { locale: 'de' });
});
afterAll(closeStack);

const create = async (body: Record<string, unknown> = {}) =>
  (await site.request('POST', '/content', { title: `Item ${randomUUID().slice(0, 8)}`, ...body })).data;
const patch = (id: string, body: unknown) => site.request('PATCH', `/content/${id}`, body);

// rule: endpoint.6
test('what is named changes, everything else stays', async () => {
  const item = await create({ excerpt: 'E', tags: ['a', 'b'], author: 'A' });
  const { status, data } = await patch(item.id, { title: 'New title', tags: ['c'] });
  expect(status).toBe(200);
  expect(data).toEqual({ ...item, title: 'New title', tags: ['c'], updated_at: data.updated_at });
  expect((await site.request('GET', `/content/${item.id}`)).data).toEqual(data);
});

// rule: endpoint.6, break.23
test('every member can be changed', async () => {
  const original = await create();
  const picture = await upload(site, await jpeg());
  const item = await create();
  const members = {
    type: 'recipe',
    title: 'Another title',
    slug: `other-${randomUUID().slice(0, 8)}`,
    locale: 'de',
    body_html: '<p>Another body</p>',
    excerpt: 'E',
    author: 'A',
    status: 'scheduled',
    scheduled_at: '2031-02-03T04:05:06Z',
    published_at: '2020-01-02T03:04:05Z',
    featured_media_id: picture.data.id,
    seo_title: 'S',
    seo_description: 'D',
    canonical_url: 'https://first.example/',
    tags: ['b', 'a'],
    source_ref: randomUUID(),
    translation_of: original.id,
  };
  const { status, data } = await patch(item.id, members);
  expect([status, data]).toEqual([200, { ...item, ...members, url: data.url, updated_at: data.updated_at }]);
  expect(data.url).toMatch(new RegExp(`/de/recipe/${members.slug}/$`));
  expect((await site.request('GET', `/content/${item.id}`)).data).toEqual(data);
});

test('a record whose references lost their aim can still be sent back', async () => {
  await site.request('POST', '/languages', { locale: 'fr' });
  const original = await create();
  const item = await create({ locale: 'fr', translation_of: original.id });
  await site.request('DELETE', `/content/${original.id}`);
  await site.request('DELETE', `/content/${original.id}/purge`);
  await site.request('DELETE', '/languages/fr');
  const { data } = await site.request('GET', `/content/${item.id}`);
  const sent = await patch(item.id, { ...data, title: 'Sent back' });
  expect([sent.status, sent.data?.title]).toEqual([200, 'Sent back']);
  expect((await patch(item.id, { translation_of: randomUUID() })).status).toBe(422);
  expect((await patch(item.id, { locale: 'it' })).status).toBe(422);
});

test('null clears what may be empty', async () => {
  const filled = {
    excerpt: 'E',
    author: 'A',
    seo_title: 'S',
    seo_description: 'D',
    canonical_url: 'https://first.example/',
    source_ref: randomUUID(),
    scheduled_at: '2031-01-01T00:00:00Z',
    published_at: '2021-01-01T00:00:00Z',
  };
  const item = await create(filled);
  const cleared = Object.fromEntries(Object.keys(filled).map((name) => [name, null]));
  expect((await patch(item.id, cleared)).data).toMatchObject(cleared);
});

test.each([
  ['title', ''],
  ['title', null],
  ['title', '  '],
  ['status', 'live'],
  ['status', null],
  ['type', 'No'],
  ['tags', null],
  ['locale', 'fr'],
  ['published_at', '2026-01-01T00:00:00+01:00'],
  ['featured_media_id', randomUUID()],
  ['translation_of', randomUUID()],
  ['nothing_like_it', 1],
])('%s: %p is refused, named, and changes nothing', async (member, value) => {
  const item = await create();
  const reply = await patch(item.id, { excerpt: 'changed', [member]: value });
  expect([reply.status, reply.error?.code]).toEqual([422, 'validation_failed']);
  expect(reply.error.details.map(({ path }: { path: string }) => path)).toContain(member);
  expect((await site.request('GET', `/content/${item.id}`)).data).toEqual(item);
});

test('an empty body and the record itself change nothing, the time of the last change included', async () => {
  const item = await create({ body_html: '<p>x</p>', tags: ['a'], status: 'published' });
  const stored = () =>
    stackDatabase().query('SELECT revision, published_at, updated_at FROM content WHERE id = $1', [item.id]);
  const before = await stored();
  for (const body of [{}, item, { ...item, trashed_at: null }]) {
    const reply = await patch(item.id, body);
    expect([reply.status, reply.data]).toEqual([200, item]);
  }
  expect(await stored()).toEqual(before);
});

describe('states', () => {
  const states = ['draft', 'scheduled', 'published', 'archived'];
  const pairs = states.flatMap((from) => states.map((to) => [from, to] as const));
  const future = '2031-01-01T00:00:00Z';

  test.each(pairs)('%s → %s', async (from, to) => {
    const item = await create({ status: from, scheduled_at: future });
    const reply = await patch(item.id, { status: to });
    expect([reply.status, reply.data?.status]).toEqual([200, to]);
  });

  // rule: state.12, break.24
  test('scheduled needs a time, given now or before', async () => {
    const item = await create();
    const refused = await patch(item.id, { status: 'scheduled' });
    expect([refused.status, refused.error.details[0].path]).toEqual([422, 'scheduled_at']);
    expect((await patch(item.id, { status: 'scheduled', scheduled_at: future })).data.status).toBe('scheduled');
    expect((await patch(item.id, { scheduled_at: null })).status).toBe(422);
  });

  test('becoming published sets published_at when absent; later changes keep it', async () => {
    const item = await create();
    const published = (await patch(item.id, { status: 'published' })).data;
    expect(published.published_at).toMatch(/Z$/);
    await patch(item.id, { status: 'draft' });
    await stackDatabase().query(`UPDATE content SET published_at = '2020-01-01' WHERE id = $1`, [item.id]);
    expect((await patch(item.id, { status: 'published' })).data.published_at).toBe('2020-01-01T00:00:00Z');
  });
});

// rule: content.4, content.8
test('a body is sanitized on the way in, and warnings are those of the stored body', async () => {
  const item = await create({ body_html: '<p style="color:red">x</p>' });
  expect(item.warnings.map(({ code }: { code: string }) => code)).toEqual(['inline_style_removed']);
  expect((await patch(item.id, { title: 'T' })).data.warnings).toEqual(item.warnings);
  const scripted = (await patch(item.id, { body_html: '<p>y</p><script>alert(1)</script>' })).data;
  expect(scripted.body_html).toBe('<p>y</p>');
  expect(scripted.warnings.map(({ code }: { code: string }) => code)).toEqual(['script_removed']);
  expect((await patch(item.id, { body_html: '<p>z</p>' })).data.warnings).toEqual([]);
});

test('a source_ref of another item is 409', async () => {
  const taken = await create({ source_ref: randomUUID() });
  const item = await create();
  const reply = await patch(item.id, { source_ref: taken.source_ref });
  expect([reply.status, reply.error.code]).toEqual([409, 'conflict']);
});

test('an item is no translation of itself', async () => {
  const item = await create();
  expect((await patch(item.id, { translation_of: item.id })).status).toBe(422);
});

test('every change leaves a revision: who and what', async () => {
  const item = await create();
  await patch(item.id, { title: 'Second' });
  const rows = await stackDatabase().query<{ revision: number; record: { title: string }; changed_by: string }>(
    'SELECT revision, record, changed_by FROM content_revisions WHERE content_id = $1 ORDER BY revision',
    [item.id],
  );
  expect(rows.map(({ revision, record }) => [revision, record.title])).toEqual([
    [1, item.title],
    [2, 'Second'],
  ]);
  expect(rows[1]!.changed_by).toBe(`key:${site.key.slice(3, 11)}`);
});

// rule: break.5
test('changes to different members at once are all kept', async () => {
  const item = await create();
  const changes = [{ title: 'T' }, { excerpt: 'E' }, { author: 'A' }, { seo_title: 'S' }, { tags: ['t'] }];
  const replies = await Promise.all(changes.map((change) => patch(item.id, change)));
  expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
  expect((await site.request('GET', `/content/${item.id}`)).data).toMatchObject(Object.assign({}, ...changes));
});

describe('entity tags', () => {
  const read = (id: string) => site.request('GET', `/content/${id}`);
  const ifMatch = (tag: string) => ({ headers: { 'If-Match': tag } });

  test('If-None-Match answers 304 without a body, until the item changes', async () => {
    const item = await create();
    const tag = (await read(item.id)).headers.get('etag')!;
    for (const value of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
      const reply = await site.request('GET', `/content/${item.id}`, undefined, {
        headers: { 'If-None-Match': value },
      });
      expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', tag]);
    }
    await patch(item.id, { title: 'Changed' });
    const reply = await site.request('GET', `/content/${item.id}`, undefined, { headers: { 'If-None-Match': tag } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('etag')).not.toBe(tag);
  });

  test('create, read and change answer the same tag for the same record', async () => {
    const made = await site.request('POST', '/content', { title: 'Tagged' });
    const tag = made.headers.get('etag')!;
    expect((await read(made.data.id)).headers.get('etag')).toBe(tag);
    const changed = await site.request('PATCH', `/content/${made.data.id}`, { excerpt: 'x' }, ifMatch(tag));
    expect(changed.status).toBe(200);
    expect((await read(made.data.id)).headers.get('etag')).toBe(changed.headers.get('etag'));
  });

  // rule: break.5
  test('If-Match with an old tag is 412 on PATCH and DELETE, and changes nothing', async () => {
    const item = await create();
    const tag = (await read(item.id)).headers.get('etag')!;
    const { data: changed } = await patch(item.id, { title: 'Changed' });
    for (const [method, body] of [['PATCH', { title: 'Lost' }], ['DELETE']] as const) {
      const reply = await site.request(method, `/content/${item.id}`, body, ifMatch(tag));
      expect([reply.status, reply.error.code]).toEqual([412, 'precondition_failed']);
    }
    expect((await read(item.id)).data).toEqual(changed);
    expect((await site.request('PATCH', `/content/${item.id}`, { title: 'T' }, ifMatch('*'))).status).toBe(200);
  });

  test('of ten writers with the same tag exactly one wins', async () => {
    const item = await create();
    const tag = (await read(item.id)).headers.get('etag')!;
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        site.request('PATCH', `/content/${item.id}`, { title: `Writer ${i}` }, ifMatch(tag)),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    const winner = replies.find(({ status }) => status === 200)!;
    expect((await read(item.id)).data).toEqual(winner.data);
  });

  test('of ten deleters with the same tag exactly one wins', async () => {
    const item = await create();
    const tag = (await read(item.id)).headers.get('etag')!;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => site.request('DELETE', `/content/${item.id}`, undefined, ifMatch(tag))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  test('a write between the read and the delete is not lost', async () => {
    for (let round = 0; round < 15; round++) {
      const item = await create();
      const tag = (await read(item.id)).headers.get('etag')!;
      const [changed, deleted] = await Promise.all([
        patch(item.id, { title: 'At the same time' }),
        site.request('DELETE', `/content/${item.id}`, undefined, ifMatch(tag)),
      ]);
      expect([
        [200, 412],
        [404, 200],
      ]).toContainEqual([changed.status, deleted.status]);
    }
  });

  test('a list has a tag too', async () => {
    const first = await site.request('GET', '/content?per_page=1');
    const headers = { 'If-None-Match': first.headers.get('etag')! };
    expect((await site.request('GET', '/content?per_page=1', undefined, { headers })).status).toBe(304);
    await create();
    expect((await site.request('GET', '/content?per_page=1', undefined, { headers })).status).toBe(200);
  });
});
