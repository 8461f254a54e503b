import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const put = (ref: string, body: unknown, options = {}) =>
  site.request('PUT', `/content/by-ref/${encodeURIComponent(ref)}`, body, options);

test('creates with 201, then updates with 200 and keeps the slug', async () => {
  const ref = randomUUID();
  const made = await put(ref, { title: 'By reference', tags: ['a'] });
  expect([made.status, made.data.source_ref, made.data.slug]).toEqual([201, ref, 'by-reference']);
  const again = await put(ref, { title: 'Another title' });
  expect([again.status, again.data.id, again.data.slug, again.data.title]).toEqual([
    200,
    made.data.id,
    'by-reference',
    'Another title',
  ]);
  expect((await put(ref, { title: 'T', slug: 'New place' })).data.slug).toBe('new-place');
});

test.each(['with/slash', 'https://example.com/a?b=c#d', 'ünïcode 中', 'a b+c%20d', '%2e', "it's", ';', '🎉'])(
  'the reference %p is taken as it is',
  async (ref) => {
    const made = await put(ref, { title: 'T' });
    expect([made.status, made.data?.source_ref]).toEqual([201, ref]);
    expect((await put(ref, { title: 'U' })).data.id).toBe(made.data.id);
  },
);

test.each([
  ['NUL', '\0'],
  ['NUL within', 'a\0b'],
  ['too long', 'x'.repeat(801)],
])('a reference that is %s is refused', async (_what, ref) => {
  expect((await put(ref, { title: 'T' })).status).toBe(422);
});

test('twenty at once make one item', async () => {
  const ref = randomUUID();
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => put(ref, { title: `Writer ${i}` })));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
  expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
});

test('it is the reference that POST gave, and other sites have their own', async () => {
  const ref = randomUUID();
  const made = await site.request('POST', '/content', { title: 'T', source_ref: ref });
  expect((await put(ref, { title: 'U' })).data.id).toBe(made.data.id);
  const other = await makeSite();
  expect((await other.request('PUT', `/content/by-ref/${ref}`, { title: 'T' })).status).toBe(201);
});

test('an item in the trash is updated and stays there', async () => {
  const ref = randomUUID();
  const { data } = await put(ref, { title: 'T' });
  await site.request('DELETE', `/content/${data.id}`);
  const reply = await put(ref, { title: 'Updated in the trash' });
  expect([reply.status, reply.data.title]).toEqual([200, 'Updated in the trash']);
  expect(reply.data.trashed_at).toMatch(/Z$/);
  expect((await site.request('GET', `/content/${data.id}`)).status).toBe(404);
});

// rule: content.4
test('the body follows the rules of create', async () => {
  const ref = randomUUID();
  expect((await put(ref, {})).error.details[0].path).toBe('title');
  expect((await put(ref, { title: 'T', nonsense: 1 })).error.details[0].path).toBe('nonsense');
  expect((await put(ref, { title: 'T', status: 'scheduled' })).status).toBe(422);
  const { data } = await put(ref, { title: 'T', body_html: '<p>x</p>' });
  expect((await put(ref, data)).data).toEqual(data);
});
