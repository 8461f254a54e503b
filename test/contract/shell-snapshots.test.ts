import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite, waitForJob } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const write = (path: string, raw: string) => site.request('PUT', `/shell/file/${path}`, undefined, { raw });
const read = async (path: string) => {
  const reply = await site.request('GET', `/shell/file/${path}`);
  return reply.status === 200 ? reply.text : reply.status;
};
const takeSnapshot = async () => (await site.request('POST', '/shell/snapshot')).data;

// rule: resource.5, endpoint.21
test('a snapshot has a revision, a count and a time', async () => {
  const { json } = await site.request('GET', '/shell/files');
  const reply = await site.request('POST', '/shell/snapshot');
  expect(reply.status).toBe(201);
  expect(reply.data).toEqual({
    rev: expect.any(String),
    files: json.pagination.total,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  });
  expect((await site.request('GET', '/shell/snapshots')).data[0]).toEqual(reply.data);
});

// rule: state.11, endpoint.22, break.15
test('a restore brings back changed and deleted files, removes added ones, and can itself be undone', async () => {
  await write('kept.css', 'kept{}');
  await write('changed.css', 'before{}');
  await write('deleted.css', 'deleted{}');
  const { rev } = await takeSnapshot();
  await write('changed.css', 'after{}');
  await write('added.css', 'added{}');
  await site.request('DELETE', '/shell/file/deleted.css');

  const restored = await site.request('POST', `/shell/restore/${rev}`);
  expect(restored.status).toBe(200);
  expect(restored.data).toEqual({
    restored: rev,
    snapshot: expect.any(String),
    job: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(restored.data.snapshot).not.toBe(rev);
  expect(await Promise.all(['kept.css', 'changed.css', 'deleted.css', 'added.css'].map(read))).toEqual([
    'kept{}',
    'before{}',
    'deleted{}',
    404,
  ]);
  expect((await waitForJob(site.key, restored.data.job)).status).toBe('succeeded');

  const undone = await site.request('POST', `/shell/restore/${restored.data.snapshot}`);
  expect(undone.status).toBe(200);
  expect(await Promise.all(['kept.css', 'changed.css', 'deleted.css', 'added.css'].map(read))).toEqual([
    'kept{}',
    'after{}',
    404,
    'added{}',
  ]);
});

test('snapshots are listed newest first', async () => {
  const revs = [(await takeSnapshot()).rev, (await takeSnapshot()).rev];
  const { data } = await site.request('GET', '/shell/snapshots?per_page=2');
  expect(data.map(({ rev }: { rev: string }) => rev)).toEqual(revs.reverse());
});

test('a revision that is none, or of another site, is 404 and takes no snapshot', async () => {
  const other = await makeSite();
  const theirs = (await other.request('POST', '/shell/snapshot')).data.rev;
  const before = (await site.request('GET', '/shell/snapshots')).json.pagination.total;
  for (const rev of ['nonsense', '1', '%00', '%ff', randomUUID(), theirs]) {
    expect((await site.request('POST', `/shell/restore/${rev}`)).status).toBe(404);
  }
  expect((await site.request('GET', '/shell/snapshots')).json.pagination.total).toBe(before);
});

test('both take no body, {} and any content type, and nothing else', async () => {
  const { rev } = await takeSnapshot();
  for (const path of ['/shell/snapshot', `/shell/restore/${rev}`]) {
    for (const options of [
      { raw: '{}' },
      { raw: '', headers: { 'Content-Type': 'text/xml' } },
      { raw: ' {} ', headers: { 'Content-Type': 'text/plain' } },
    ]) {
      expect((await site.request('POST', path, undefined, options)).status).toBeLessThan(300);
    }
    expect((await site.request('POST', path, { x: 1 })).status).toBe(422);
    expect((await site.request('POST', path, undefined, { raw: '{' })).status).toBe(422);
  }
});

// rule: endpoint.22, break.15
test('a restore leaves the shells of other sites alone', async () => {
  const other = await makeSite();
  await other.request('PUT', '/shell/file/theirs.css', undefined, { raw: 'theirs{}' });
  await write('shared.css', 'before{}');
  const { rev } = await takeSnapshot();
  await write('shared.css', 'after{}');
  await other.request('PUT', '/shell/file/shared.css', undefined, { raw: 'theirs too{}' });
  const files = async () => (await other.request('GET', '/shell/files?per_page=100')).json;
  const before = await files();
  expect((await site.request('POST', `/shell/restore/${rev}`)).status).toBe(200);
  expect(await read('shared.css')).toBe('before{}');
  expect(await files()).toEqual(before);
});

test('three restores at once each take their own snapshot first', async () => {
  const { rev } = await takeSnapshot();
  const replies = await Promise.all([1, 2, 3].map(() => site.request('POST', `/shell/restore/${rev}`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(replies.map(({ data }) => data.snapshot)).size).toBe(3);
});
