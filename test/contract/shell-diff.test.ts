import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const write = (path: string, raw: string | Buffer) => site.request('PUT', `/shell/file/${path}`, undefined, { raw });
const snapshot = async (): Promise<string> => (await site.request('POST', '/shell/snapshot')).data.rev;
const diff = (query: string) => site.request('GET', `/shell/diff?${query}`);
const state = (data: string | Buffer) => ({
  bytes: Buffer.byteLength(data),
  sha256: createHash('sha256').update(data).digest('hex'),
});

test('says what was added, removed and changed between two revisions, with unified diffs', async () => {
  await write('diff/changed.css', 'a{}\nb{}\nc{}\n');
  await write('diff/gone.twig', '<p>gone</p>\n');
  await write('diff/same.css', 'same{}');
  const from = await snapshot();
  await write('diff/changed.css', 'a{}\nB{}\nc{}\n');
  await site.request('DELETE', '/shell/file/diff/gone.twig');
  await write('diff/new.js', 'let x;\n');
  const to = await snapshot();
  const expected = [
    {
      path: 'diff/changed.css',
      change: 'changed',
      before: state('a{}\nb{}\nc{}\n'),
      after: state('a{}\nB{}\nc{}\n'),
      diff: '--- a/diff/changed.css\n+++ b/diff/changed.css\n@@ -1,3 +1,3 @@\n a{}\n-b{}\n+B{}\n c{}\n',
      diff_omitted: null,
    },
    {
      path: 'diff/gone.twig',
      change: 'removed',
      before: state('<p>gone</p>\n'),
      after: null,
      diff: expect.stringContaining('+++ /dev/null'),
      diff_omitted: null,
    },
    {
      path: 'diff/new.js',
      change: 'added',
      before: null,
      after: state('let x;\n'),
      diff: expect.stringMatching(/^--- \/dev\/null[\s\S]*\+let x;/),
      diff_omitted: null,
    },
  ];
  const reply = await diff(`from=${from}&to=${to}`);
  expect(reply.status).toBe(200);
  expect(reply.data).toEqual(expected);
  expect(reply.json.pagination).toEqual({ total: 3, page: 1, per_page: 20, total_pages: 1 });
  expect((await diff(`from=${from}`)).data).toEqual(expected);
  expect((await diff(`from=${to}&to=${from}`)).data.map(({ change }: { change: string }) => change)).toEqual([
    'changed',
    'added',
    'removed',
  ]);
});

test('the same revision differs in nothing', async () => {
  const rev = await snapshot();
  const reply = await diff(`from=${rev}&to=${rev}`);
  expect([reply.data, reply.json.pagination.total]).toEqual([[], 0]);
});

test('differences come in pages', async () => {
  const from = await snapshot();
  for (const name of ['1', '2', '3']) await write(`pages/${name}.css`, `${name}${randomUUID()}`);
  const { data, json } = await diff(`from=${from}&page=2&per_page=2`);
  expect(data.map(({ path }: { path: string }) => path)).toEqual(['pages/3.css']);
  expect(json.pagination).toEqual({ total: 3, page: 2, per_page: 2, total_pages: 2 });
});

test('what is no text, too large or too different comes without its text', async () => {
  const lines = (letter: string) => Array.from({ length: 4000 }, (_, i) => `${letter}${i}\n`).join('');
  await write('omit/different.css', lines('a'));
  const from = await snapshot();
  await write('omit/different.css', lines('b'));
  await write('omit/image.png', Buffer.from([0x89, 0x50]));
  await write('omit/large.json', Buffer.alloc(600_000, 0x20));
  await write('omit/latin1.css', Buffer.from([0x61, 0xff]));
  const { data } = await diff(`from=${from}`);
  expect(
    data.map((item: { path: string; diff: null; diff_omitted: string }) => [item.path, item.diff, item.diff_omitted]),
  ).toEqual([
    ['omit/different.css', null, 'too_different'],
    ['omit/image.png', null, 'binary'],
    ['omit/large.json', null, 'too_large'],
    ['omit/latin1.css', null, 'binary'],
  ]);
});

test('a revision that is none, or of another site, is 404; none at all is 422', async () => {
  const other = await makeSite();
  const theirs = (await other.request('POST', '/shell/snapshot')).data.rev;
  const mine = await snapshot();
  for (const rev of ['nonsense', '1', '%ff', randomUUID(), theirs]) {
    expect((await diff(`from=${rev}`)).status).toBe(404);
    expect((await diff(`from=${mine}&to=${rev}`)).status).toBe(404);
  }
  const reply = await diff('');
  expect([reply.status, reply.error.details[0].path]).toEqual([422, 'from']);
  expect((await diff(`from=${mine}&page=0`)).status).toBe(422);
});

test('needs shell:read', async () => {
  const writer = await makeKey(['shell:write']);
  const rev = await snapshot();
  expect((await request('GET', `/sites/${site.slug}/shell/diff?from=${rev}`, { key: writer })).status).toBe(403);
});
