import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';
import { visit } from '../workflows/helpers.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const create = (body: unknown) => site.request('POST', '/scripts', body);
const src = 'https://cdn.example.com/x.js';

// rule: endpoint.28, break.23
test('a script by address stands in the head unless said otherwise', async () => {
  const reply = await create({ name: 'Counter', src });
  expect(reply.status).toBe(201);
  expect(reply.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    name: 'Counter',
    position: 'head',
    src,
    code: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect((await site.request('GET', '/scripts')).json.data[0]).toEqual(reply.data);
});

// rule: endpoint.28
test('a script by code comes back as it was', async () => {
  const code = 'console.log("<b>&\u2028 ünï")\n';
  const { status, data } = await create({ name: 'Inline', position: 'body_end', code, src: null });
  expect([status, data.code, data.src, data.position]).toEqual([201, code, null, 'body_end']);
});

// rule: endpoint.27, break.16
test("the list is newest first, in pages, and of the site's own alone", async () => {
  const own = await makeSite();
  const made = [];
  for (let n = 0; n < 3; n++) made.unshift((await own.request('POST', '/scripts', { name: `${n}`, src })).data);
  await create({ name: 'Elsewhere', src });
  const { json } = await own.request('GET', '/scripts?per_page=2');
  expect(json.data).toEqual(made.slice(0, 2));
  expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
});

// rule: endpoint.28, break.17
test('it is in every page from the next publish on, where it was put, and no longer once it was deleted', async () => {
  const own = await makeSite();
  const code = 'window.tally = 1';
  const made = await Promise.all([
    own.request('POST', '/scripts', { name: 'Counter', src }),
    own.request('POST', '/scripts', { name: 'Tally', position: 'body_end', code }),
  ]);
  await own.request('POST', '/content', { title: 'Page', type: 'page', status: 'published' });
  await publish(own);
  for (const path of ['/', '/page/', '/nowhere/']) {
    const [head = '', body = ''] = (await visit(own, path)).text.split('</head>');
    expect([head.includes(`src="${src}"`), body.includes(src)]).toEqual([true, false]);
    expect([head.includes(code), body.includes(`<script>${code}</script>`)]).toEqual([false, true]);
  }
  for (const { data } of made) await own.request('DELETE', `/scripts/${data.id}`);
  await publish(own);
  expect((await visit(own, '/page/')).text).not.toMatch(/x\.js|tally/);
});

test.each<[string, Record<string, unknown>]>([
  ['name', { name: undefined, src }],
  ['name', { name: ' ', src }],
  ['name', { name: 5, src }],
  ['src', {}],
  ['src', { src, code: 'x' }],
  ['src', { src: null, code: null }],
  ['src', { src: 'http://example.com/x.js' }],
  ['src', { src: '/x.js' }],
  ['src', { src: '//example.com/x.js' }],
  ['src', { src: 'https:example.com/x.js' }],
  ['src', { src: 'https:/example.com/x.js' }],
  ['src', { src: 'javascript:alert(1)' }],
  ['src', { src: 'data:text/javascript,1' }],
  ['src', { src: 'https://u:p@example.com/' }],
  ['src', { src: 'https://example.com/"><script>' + '\n' }],
  ['src', { src: '' }],
  ['code', { code: '' }],
  ['code', { code: '</script><img onerror=x>' }],
  ['code', { code: '<!-- x' }],
  ['code', { code: 5 }],
  ['position', { src, position: 'foot' }],
  ['position', { src, position: null }],
  ['async', { src, async: true }],
])('%s is refused in %p', async (member, members) => {
  const reply = await create({ name: 'S', ...members });
  expect([reply.status, reply.error?.code]).toEqual([422, 'validation_failed']);
  expect(reply.error.details.map(({ path }: { path: string }) => path)).toContain(member);
});

test('PATCH changes what is named; a new source takes the place of the old', async () => {
  const { data } = await create({ name: 'S', src });
  const patch = (body: unknown) => site.request('PATCH', `/scripts/${data.id}`, body);
  expect((await patch({ name: 'T', position: 'body_end' })).data).toEqual({ ...data, name: 'T', position: 'body_end' });
  expect((await patch({ code: 'x()' })).data).toMatchObject({ src: null, code: 'x()' });
  expect((await patch({ src })).data).toMatchObject({ src, code: null });
  expect((await patch({ src, code: 'x()' })).status).toBe(422);
  expect((await patch({ src: null })).status).toBe(422);
  expect((await patch({ nonsense: 1 })).error.details[0].path).toBe('nonsense');
  expect((await patch(data)).data).toEqual(data);
});

// rule: endpoint.29, break.17
test('deleting answers the id, then 404', async () => {
  const { data } = await create({ name: 'S', src });
  const reply = await site.request('DELETE', `/scripts/${data.id}`);
  expect([reply.status, reply.data]).toEqual([200, { id: data.id, deleted: true }]);
  for (const id of [data.id, 'nonsense', '%ff', '%00', randomUUID()]) {
    expect((await site.request('DELETE', `/scripts/${id}`)).status).toBe(404);
    expect((await site.request('PATCH', `/scripts/${id}`, { name: 'x' })).status).toBe(404);
  }
  const other = await makeSite();
  const theirs = (await other.request('POST', '/scripts', { name: 'S', src })).data;
  expect((await site.request('DELETE', `/scripts/${theirs.id}`)).status).toBe(404);
  expect((await site.request('PATCH', `/scripts/${theirs.id}`, { name: 'x' })).status).toBe(404);
  expect((await other.request('GET', '/scripts')).data).toEqual([theirs]);
});
