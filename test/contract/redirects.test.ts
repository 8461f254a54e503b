import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';
import { visit } from '../workflows/helpers.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite({ domain: `r-${randomUUID().slice(0, 8)}.example` });
});
afterAll(closeStack);

const freshPath = () => `/p-${randomUUID().slice(0, 8)}`;
const create = (body: unknown) => site.request('POST', '/redirects', body);

// rule: endpoint.25, break.23
test('a redirect is 301 unless said otherwise', async () => {
  const from = freshPath();
  const reply = await create({ from, to: '/new/' });
  expect(reply.status).toBe(201);
  expect(reply.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    from,
    to: '/new/',
    status: 301,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  const { json } = await site.request('GET', '/redirects');
  expect(json.data[0]).toEqual(reply.data);
});

// rule: endpoint.24, break.16
test("the list is newest first, in pages, and of the site's own alone", async () => {
  const own = await makeSite();
  const made = [];
  for (let n = 0; n < 3; n++) made.unshift((await own.request('POST', '/redirects', { from: `/${n}`, to: '/x' })).data);
  await create({ from: freshPath(), to: '/x' });
  const { json } = await own.request('GET', '/redirects?per_page=2');
  expect(json.data).toEqual(made.slice(0, 2));
  expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
});

// rule: endpoint.24
test('the list is searched by text in the path or the target, in any case', async () => {
  const own = await makeSite();
  const made = [];
  for (const [from, to] of [
    ['/Walls/', '/x'],
    ['/a_b', 'https://example.com/WALLS'],
    ['/a%20b', '/y'],
  ] as const)
    made.push((await own.request('POST', '/redirects', { from, to })).data);
  const find = async (q: string) => (await own.request('GET', `/redirects?q=${encodeURIComponent(q)}`)).json.data;
  expect(await find('walls')).toEqual([made[1], made[0]]);
  expect(await find('a_')).toEqual([made[1]]);
  expect(await find('%')).toEqual([made[2]]);
  expect(await find('')).toHaveLength(3);
  expect((await own.request('GET', `/redirects?q=${'x'.repeat(501)}`)).status).toBe(422);
});

// rule: endpoint.25, break.17
test('it leads visitors from the next publish on, and no longer once it was deleted and published', async () => {
  const own = await makeSite();
  const { data } = await own.request('POST', '/redirects', {
    from: '/old',
    to: 'https://example.com/new',
    status: 308,
  });
  await publish(own);
  const found = await visit(own, '/old');
  expect([found.status, found.headers.get('location')]).toEqual([308, 'https://example.com/new']);
  await own.request('DELETE', `/redirects/${data.id}`);
  await publish(own);
  expect((await visit(own, '/old')).status).toBe(404);
});

test.each([301, 302, 307, 308])('%d is taken', async (status) => {
  expect((await create({ from: freshPath(), to: 'https://example.com/x?y#z', status })).data.status).toBe(status);
});

// rule: threat.31
test.each<[string, unknown]>([
  ['from', undefined],
  ['from', ''],
  ['from', 'relative'],
  ['from', '//example.com'],
  ['from', 'https://example.com/a'],
  ['from', '/a b'],
  ['from', '/a?b'],
  ['from', '/a#b'],
  ['from', '/a\\b'],
  ['from', '/a\r\nSet-Cookie: x'],
  ['from', `/${'x'.repeat(3000)}`],
  ['from', `/${'€'.repeat(1000)}`],
  ['from', 7],
  ['from', '/a%00'],
  ['from', '/a%0d%0aX:%20y'],
  ['from', '/a%7f'],
  ['from', '/a%ff'],
  ['from', '/%ed%a0%80'],
  ['from', '/100%'],
  ['from', '/a%zz'],
  ['to', undefined],
  ['to', ''],
  ['to', 'relative'],
  ['to', '//example.com/'],
  ['to', '/\\example.com'],
  ['to', 'javascript:alert(1)'],
  ['to', 'data:text/html,x'],
  ['to', 'ftp://example.com/'],
  ['to', 'https://'],
  ['to', 'http:///x'],
  ['to', '/a%00'],
  ['to', '/a%0a?b'],
  ['to', '/a%ff'],
  ['to', '/100%'],
  ['to', 'https://user:secret@example.com/'],
  ['to', 'https://example.com/\r\nX: y'],
  ['to', 7],
  ['status', 200],
  ['status', 303],
  ['status', '301'],
  ['status', null],
  ['permanent', true],
])('%s: %p is refused and named', async (member, value) => {
  const reply = await create({ from: freshPath(), to: '/new/', [member]: value });
  expect([reply.status, reply.error?.code]).toEqual([422, 'validation_failed']);
  expect(reply.error.details.map(({ path }: { path: string }) => path)).toContain(member);
});

test('escapes that stand in a query, or in the URL of another site, are taken as they are, on PATCH too', async () => {
  const { domain } = (await site.request('GET', '')).data;
  for (const to of ['/a?b=100%&c=%00', '/a#%ff', 'https://elsewhere.example/%00', `https://${domain}/%00`, '/a%2fb']) {
    const { status, data } = await create({ from: freshPath(), to: '/new/' });
    const changed = await site.request('PATCH', `/redirects/${data.id}`, { to });
    expect([status, changed.status, changed.data?.to]).toEqual([201, 200, to]);
  }
  const { data } = await create({ from: freshPath(), to: '/new/' });
  for (const wrong of [{ to: '/%00' }, { from: '/%00' }])
    expect((await site.request('PATCH', `/redirects/${data.id}`, wrong)).status).toBe(422);
});

// rule: status.409, break.35
test('a taken from is 409, also for one of ten at once', async () => {
  const from = freshPath();
  const replies = await Promise.all(Array.from({ length: 10 }, () => create({ from, to: '/x' })));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const again = await create({ from, to: '/y' });
  expect([again.status, again.error.code]).toEqual([409, 'from_taken']);
});

describe('loops are 422', () => {
  test('onto itself, with query and fragment too, and by the domain', async () => {
    const from = freshPath();
    const { domain } = (await site.request('GET', '')).data;
    for (const to of [
      from,
      `${from}?x=1`,
      `${from}#y`,
      `https://${domain}${from}`,
      `http://${domain.toUpperCase()}${from}`,
      `https://${domain}.${from}`,
    ]) {
      const reply = await create({ from, to });
      expect([to, reply.status, reply.error?.details[0].path]).toEqual([to, 422, 'to']);
    }
    expect((await create({ from, to: `https://elsewhere.example${from}` })).status).toBe(201);
  });

  test('over two and three steps, on create and on PATCH', async () => {
    const [a, b, c] = [freshPath(), freshPath(), freshPath()];
    expect((await create({ from: a, to: b })).status).toBe(201);
    expect((await create({ from: b, to: c })).status).toBe(201);
    expect((await create({ from: c, to: a })).status).toBe(422);
    const last = await create({ from: c, to: '/end' });
    expect((await site.request('PATCH', `/redirects/${last.data.id}`, { to: a })).status).toBe(422);
    expect((await site.request('PATCH', `/redirects/${last.data.id}`, { to: '/other' })).data.to).toBe('/other');
  });

  test('not even two requests at once can close one', async () => {
    for (let round = 0; round < 8; round++) {
      const [a, b] = [freshPath(), freshPath()];
      const replies = await Promise.all([create({ from: a, to: b }), create({ from: b, to: a })]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    }
  });
});

test('PATCH changes what is named and keeps the rules', async () => {
  const taken = (await create({ from: freshPath(), to: '/x' })).data;
  const { data } = await create({ from: freshPath(), to: '/x' });
  const patch = (body: unknown) => site.request('PATCH', `/redirects/${data.id}`, body);
  expect((await patch({ status: 308 })).data).toEqual({ ...data, status: 308 });
  expect((await patch({ from: taken.from })).error.code).toBe('from_taken');
  expect((await patch({ status: 200 })).status).toBe(422);
  expect((await patch({ nonsense: 1 })).error.details[0].path).toBe('nonsense');
  expect((await patch({ ...data, to: '/y' })).data.to).toBe('/y');
});

// rule: endpoint.26, break.17
test('deleting answers the id, then 404', async () => {
  const { data } = await create({ from: freshPath(), to: '/x' });
  const reply = await site.request('DELETE', `/redirects/${data.id}`);
  expect([reply.status, reply.data]).toEqual([200, { id: data.id, deleted: true }]);
  expect((await site.request('DELETE', `/redirects/${data.id}`)).status).toBe(404);
  for (const id of ['nonsense', '%ff', '%00', randomUUID()]) {
    expect((await site.request('DELETE', `/redirects/${id}`)).status).toBe(404);
    expect((await site.request('PATCH', `/redirects/${id}`, { to: '/x' })).status).toBe(404);
  }
  const other = await makeSite();
  const theirs = await other.request('POST', '/redirects', { from: '/a', to: '/b' });
  expect((await site.request('DELETE', `/redirects/${theirs.data.id}`)).status).toBe(404);
});
