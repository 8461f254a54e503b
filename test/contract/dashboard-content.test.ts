import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { type DashboardClient, signInByLink } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';

let site: TestSite;
let editor: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  editor = await signInByLink((await makeMember(site.slug, 'editor')).id);
});
afterAll(closeStack);

const create = async (members: object = {}, key = site.key): Promise<string> =>
  (await site.request('POST', '/content', { title: 'T', ...members }, { key })).data.id;
const read = async (id: string) => (await site.request('GET', `/content/${id}`)).data;
const change = (client: DashboardClient, action: string, items: object[], tags: object = {}) =>
  client.call('POST', `/sites/${site.slug}/content/changes`, { action, items, ...tags });

test('several items are updated, trashed and restored, each with its own members', async () => {
  const [first, second] = [await create(), await create({ published_at: '2020-02-03T04:05:06Z' })];
  const updated = await change(editor, 'update', [
    { id: first, status: 'published' },
    { id: second, published_at: '2021-02-03T04:05:06Z' },
  ]);
  expect([updated.status, updated.data]).toEqual([200, { refusals: [null, null] }]);
  expect([(await read(first)).status, (await read(second)).published_at]).toEqual([
    'published',
    '2021-02-03T04:05:06Z',
  ]);
  await change(editor, 'trash', [{ id: first }, { id: second }]);
  expect(await read(first)).toBeUndefined();
  await change(editor, 'restore', [{ id: first }]);
  expect([(await read(first)).status, await read(second)]).toEqual(['published', undefined]);
});

test('tags are added to and removed from what each item has now, up to the limit of an item', async () => {
  const [first, second] = [await create({ tags: ['a', 'shared'] }), await create({ tags: ['b'] })];
  const full = await create({ tags: Array.from({ length: 200 }, (_, index) => `t${index}`) });
  const items = [{ id: first }, { id: second }, { id: full }];
  const added = await change(editor, 'update', items, { add_tags: ['shared', 'new'] });
  expect(added.data.refusals).toMatchObject([null, null, { code: 'validation_failed' }]);
  expect([(await read(first)).tags, (await read(second)).tags]).toEqual([
    ['a', 'shared', 'new'],
    ['b', 'shared', 'new'],
  ]);
  await site.request('PATCH', `/content/${second}`, { tags: ['b', 'shared', 'new', 'of another'] });
  await change(editor, 'update', [{ id: first }, { id: second }], { remove_tags: ['new'] });
  expect([(await read(first)).tags, (await read(second)).tags]).toEqual([
    ['a', 'shared'],
    ['b', 'shared', 'of another'],
  ]);
});

test('one that is refused does not keep the others from being changed', async () => {
  const id = await create();
  const { data } = await change(editor, 'update', [
    { id: randomUUID(), status: 'draft' },
    { id, status: 'scheduled' },
    { id, status: 'archived' },
  ]);
  expect(data.refusals).toMatchObject([{ code: 'not_found' }, { code: 'validation_failed' }, null]);
  expect((await read(id)).status).toBe('archived');
});

test('the audit log names each changed item, and who changed it', async () => {
  const [changed, missing] = [await create(), randomUUID()];
  await change(editor, 'trash', [{ id: changed }, { id: missing }]);
  const { data } = await site.request('GET', '/audit?per_page=100');
  const trashed = data.filter(({ operation }: { operation: string }) => operation === 'trashContent');
  expect(trashed.map(({ target }: { target: { id: string } }) => target.id)).toContain(changed);
  expect(JSON.stringify(data)).not.toContain(missing);
});

test('items that are scheduled together are published when they are due', async () => {
  const ids = [await create(), await create()];
  const scheduled_at = '2020-02-03T04:05:06Z';
  const items = ids.map((id) => ({ id, status: 'scheduled', scheduled_at }));
  expect((await change(editor, 'update', items)).data).toEqual({ refusals: [null, null] });
  for (const id of ids)
    await eventually('the due item is published', async () => (await read(id)).status === 'published');
});

test('an author changes their own unpublished items alone', async () => {
  const member = await makeMember(site.slug, 'author');
  const author = await signInByLink(member.id);
  const own = await create({}, await member.makeKey());
  const { data } = await change(author, 'update', [
    { id: own, status: 'archived' },
    { id: own, status: 'published' },
    { id: await create(), status: 'archived' },
  ]);
  expect(data.refusals).toMatchObject([null, { code: 'role_insufficient' }, { code: 'role_insufficient' }]);
  const rights = async (id: string) => (await author.call('GET', `/sites/${site.slug}/content/${id}/rights`)).data;
  expect(await rights(own)).toEqual({ may_write: true, reason: null, has_draft: false });
  await site.request('PUT', `/content/${own}/draft`, { excerpt: 'Later' });
  expect(await rights(own)).toEqual({ may_write: true, reason: null, has_draft: true });
  expect(await rights(await create())).toMatchObject({ may_write: false, reason: expect.stringMatching('created') });
});

test('no item, more than 100, and unknown members are refused', async () => {
  const id = await create();
  const many = Array.from({ length: 101 }, () => ({ id }));
  for (const items of [[], many, [{ id, title: 'x' }], [{ id: 'x' }]])
    expect((await change(editor, 'update', items)).status).toBe(422);
});
