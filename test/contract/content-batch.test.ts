import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const batch = (items: unknown, options = {}) => site.request('POST', '/content/batch', { items }, options);

test('each item stands on its own, in order', async () => {
  const source_ref = randomUUID();
  const { status, data } = await batch([
    { title: 'First in batch', body_html: '<p style="x">a</p>' },
    { title: '' },
    { title: 'First in batch' },
    { title: 'T', source_ref },
    { title: 'T', source_ref },
    { title: 'T', nonsense: 1 },
    { title: 'T', scheduled_at: 'soon' },
    7,
    null,
    { title: 'Last in batch', status: 'published' },
  ]);
  expect(status).toBe(200);
  expect(data.results.map((result: { status: number }) => result.status)).toEqual([
    201, 422, 201, 201, 409, 422, 422, 422, 422, 201,
  ]);
  expect(data.results[0].data).toMatchObject({ slug: 'first-in-batch', warnings: [{ code: 'inline_style_removed' }] });
  expect(data.results[2].data.slug).toBe('first-in-batch-2');
  expect(data.results[1].error).toMatchObject({ code: 'validation_failed', details: [{ path: 'title' }] });
  expect(data.results[4].error.code).toBe('conflict');
  expect(data.results[5].error.details).toEqual([{ path: 'nonsense', message: expect.any(String) }]);
  const stored = await site.request('GET', `/content/${data.results[9].data.id}`);
  expect(stored.data).toEqual(data.results[9].data);
});

test('dirt that cannot be stored is the matter of its item alone', async () => {
  const raw = `{"items":[{"title":"Clean one"},{"title":"a\\u0000"},{"title":"\\ud800"},{"title":"x","tags":[1e400]},
    {"title":"x","__proto__":{}},{"title":"x","deep":${'['.repeat(100)}${']'.repeat(100)}},"\\u0000",
    {"title":"Dirty body","body_html":"<p>a\\u0000b</p>"},{"title":"Clean two"}]}`;
  const { status, data } = await site.request('POST', '/content/batch', undefined, {
    raw,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(status).toBe(200);
  expect(data.results.map((result: { status: number }) => result.status)).toEqual([
    201, 422, 422, 422, 422, 422, 422, 201, 201,
  ]);
  expect(data.results[1].error.details).toEqual([{ path: 'title', message: 'must not contain NUL' }]);
  expect(data.results[7].data).toMatchObject({ body_html: '<p>ab</p>', warnings: [{ code: 'character_removed' }] });
});

test('a hundred are taken, a hundred and one and none are not', async () => {
  const items = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `Bulk ${i}` }));
  const full = await batch(items(100));
  expect(full.status).toBe(200);
  expect(new Set(full.data.results.map((result: { data: { slug: string } }) => result.data.slug)).size).toBe(100);
  for (const wrong of [items(101), [], {}, 'x', null]) {
    const reply = await batch(wrong);
    expect([reply.status, reply.error.details[0].path]).toEqual([422, 'items']);
  }
});

test('a repeat with the same Idempotency-Key makes nothing twice', async () => {
  const options = { headers: { 'Idempotency-Key': randomUUID() } };
  const items = [{ title: 'Once only' }, { title: '' }];
  const first = await batch(items, options);
  const again = await batch(items, options);
  expect(again.text).toBe(first.text);
  expect((await site.request('GET', '/content?q=Once+only')).json.pagination.total).toBe(1);
});

test('two batches with the same titles at once share no slug', async () => {
  const items = Array.from({ length: 10 }, () => ({ title: 'Two batches' }));
  const replies = await Promise.all([batch(items, { gateway: 0 }), batch(items, { gateway: 1 }), batch(items)]);
  const slugs = replies.flatMap(({ data }) =>
    data.results.map((result: { data: { slug: string } }) => result.data.slug),
  );
  expect(new Set(slugs).size).toBe(30);
});
