import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const create = async (body: Record<string, unknown> = {}) =>
  (await site.request('POST', '/content', { title: `Item ${randomUUID().slice(0, 8)}`, ...body })).data;
const codeOf = (reply: { status: number; error: { code: string } }) => [reply.status, reply.error?.code];

// rule: state.4, endpoint.7
test('deleting moves to the trash and answers the record with trashed_at', async () => {
  const item = await create({ body_html: '<p>x</p>' });
  const reply = await site.request('DELETE', `/content/${item.id}`);
  expect(reply.status).toBe(200);
  expect(reply.data).toEqual({ ...item, trashed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) });
});

// rule: state.4, endpoint.7
test('what is in the trash cannot be read, changed, deleted again or found', async () => {
  const item = await create();
  await site.request('DELETE', `/content/${item.id}`);
  expect(codeOf(await site.request('GET', `/content/${item.id}`))).toEqual([404, 'not_found']);
  expect(codeOf(await site.request('PATCH', `/content/${item.id}`, { title: 'x' }))).toEqual([404, 'not_found']);
  expect(codeOf(await site.request('DELETE', `/content/${item.id}`))).toEqual([404, 'not_found']);
  const { data } = await site.request('GET', '/content?per_page=100');
  expect(data.map(({ id }: { id: string }) => id)).not.toContain(item.id);
});

// rule: state.4, endpoint.8
test('the trash lists what is in it, last trashed first', async () => {
  const fresh = await makeSite();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await fresh.request('POST', '/content', { title: `T${i}` })).data.id);
  for (const id of [ids[1], ids[0], ids[2]]) await fresh.request('DELETE', `/content/${id}`);
  const { json } = await fresh.request('GET', '/content/trash?per_page=2');
  expect(json.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[0]]);
  expect(json.data[0].trashed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
});

// rule: state.5, endpoint.9, break.24
test.each(['draft', 'scheduled', 'published', 'archived'])(
  'a restored %s item comes back as it was',
  async (status) => {
    const item = await create({ status, scheduled_at: '2031-01-01T00:00:00Z' });
    await site.request('DELETE', `/content/${item.id}`);
    const reply = await site.request('POST', `/content/${item.id}/restore`);
    expect(reply.status).toBe(200);
    expect(reply.data).toEqual({ ...item, trashed_at: null });
    expect((await site.request('GET', `/content/${item.id}`)).data).toEqual(item);
  },
);

test('what stayed in the trash past its time is published after it was restored', async () => {
  const item = await create({ status: 'scheduled', scheduled_at: '2031-01-01T00:00:00Z' });
  await site.request('PATCH', `/content/${item.id}`, { status: 'draft', scheduled_at: '2020-01-01T00:00:00Z' });
  await site.request('DELETE', `/content/${item.id}`);
  await site.request('POST', `/content/${item.id}/restore`);
  const scheduled = await site.request('PATCH', `/content/${item.id}`, { status: 'scheduled' });
  expect(scheduled.status).toBe(200);
  const published = await eventually('the item is published', async () => {
    const { data } = await site.request('GET', `/content/${item.id}`);
    return data.status === 'published' ? data : undefined;
  });
  expect(published.published_at).toBe('2020-01-01T00:00:00Z');
});

describe('restore and purge', () => {
  // rule: endpoint.10, break.24
  test('of an item that is not in the trash are 409', async () => {
    const item = await create();
    expect(codeOf(await site.request('POST', `/content/${item.id}/restore`))).toEqual([409, 'not_in_trash']);
    expect(codeOf(await site.request('DELETE', `/content/${item.id}/purge`))).toEqual([409, 'not_in_trash']);
    expect((await site.request('GET', `/content/${item.id}`)).status).toBe(200);
  });

  // rule: state.6, endpoint.10
  test('a purge is for ever', async () => {
    const item = await create();
    await site.request('DELETE', `/content/${item.id}`);
    const reply = await site.request('DELETE', `/content/${item.id}/purge`);
    expect([reply.status, reply.json]).toEqual([200, { success: true, data: { id: item.id, deleted: true } }]);
    for (const [method, path] of [
      ['POST', 'restore'],
      ['DELETE', 'purge'],
    ] as const) {
      expect((await site.request(method, `/content/${item.id}/${path}`)).status).toBe(404);
    }
  });

  test('a source_ref is free again only after the purge', async () => {
    const source_ref = randomUUID();
    const item = await create({ source_ref });
    await site.request('DELETE', `/content/${item.id}`);
    expect((await site.request('POST', '/content', { title: 'T', source_ref })).status).toBe(409);
    await site.request('DELETE', `/content/${item.id}/purge`);
    expect((await site.request('POST', '/content', { title: 'T', source_ref })).status).toBe(201);
  });

  // rule: endpoint.9
  test('restore takes no body, an empty object and any content type', async () => {
    for (const options of [{}, { raw: '{}' }, { raw: '{}', headers: { 'Content-Type': 'text/plain' } }]) {
      const item = await create();
      await site.request('DELETE', `/content/${item.id}`);
      expect((await site.request('POST', `/content/${item.id}/restore`, undefined, options)).status).toBe(200);
    }
  });

  test('ten restores at once: one does it, the others find it done', async () => {
    const item = await create();
    await site.request('DELETE', `/content/${item.id}`);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => site.request('POST', `/content/${item.id}/restore`)),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  test('restore and purge at once: one of them wins', async () => {
    for (let round = 0; round < 15; round++) {
      const item = await create();
      await site.request('DELETE', `/content/${item.id}`);
      const [restored, purged] = await Promise.all([
        site.request('POST', `/content/${item.id}/restore`),
        site.request('DELETE', `/content/${item.id}/purge`),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([restored.status, purged.status]);
      expect((await site.request('GET', `/content/${item.id}`)).status).toBe(restored.status);
    }
  });
});

describe('ids', () => {
  const actions: [string, string, unknown][] = [
    ['GET', '', undefined],
    ['PATCH', '', { title: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/restore', undefined],
    ['DELETE', '/purge', undefined],
    ['POST', '/fact-check', undefined],
  ];
  const ids = [
    '1',
    'nonsense',
    '00000000-0000-4000-8000-00000000000g',
    `{${randomUUID()}}`,
    "' OR 1=1",
    '%00',
    '%ff',
    'a'.repeat(500),
    '..%2f..',
    randomUUID(),
  ];

  // rule: endpoint.5, status.404
  test.each(actions)('%s /content/{id}%s is 404 for what is no id or nobody has', async (method, suffix, body) => {
    for (const id of ids) {
      const reply = await site.request(
        method,
        `/content/${id.includes('%') ? id : encodeURIComponent(id)}${suffix}`,
        body,
      );
      expect([id, reply.status, reply.error?.code]).toEqual([id, 404, 'not_found']);
    }
  });

  // rule: break.1
  test('an item of another site is 404', async () => {
    const other = await makeSite();
    const { data } = await other.request('POST', '/content', { title: 'Theirs' });
    for (const [method, suffix, body] of actions) {
      expect((await site.request(method, `/content/${data.id}${suffix}`, body)).status).toBe(404);
    }
    expect((await other.request('GET', `/content/${data.id}`)).data).toEqual(data);
  });

  test('letter case does not matter', async () => {
    const item = await create();
    expect((await site.request('GET', `/content/${item.id.toUpperCase()}`)).data.id).toBe(item.id);
  });
});
