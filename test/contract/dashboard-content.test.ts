import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
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
const change = (client: DashboardClient, action: string, items: object[]) =>
  client.call('POST', `/sites/${site.slug}/content/changes`, { action, items });

test('several items are updated, trashed and restored, each with its own members', async () => {
  const [first, second] = [await create(), await create({ tags: ['a'] })];
  const updated = await change(editor, 'update', [
    { id: first, status: 'published' },
    { id: second, tags: ['a', 'b'] },
  ]);
  expect([updated.status, updated.data]).toEqual([200, { refusals: [null, null] }]);
  expect([(await read(first)).status, (await read(second)).tags]).toEqual(['published', ['a', 'b']]);
  await change(editor, 'trash', [{ id: first }, { id: second }]);
  expect(await read(first)).toBeUndefined();
  await change(editor, 'restore', [{ id: first }]);
  expect([(await read(first)).status, await read(second)]).toEqual(['published', undefined]);
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

test('an author changes their own unpublished items alone', async () => {
  const member = await makeMember(site.slug, 'author');
  const author = await signInByLink(member.id);
  const own = await create({}, await member.makeKey());
  const { data } = await change(author, 'update', [
    { id: own, tags: ['mine'] },
    { id: own, status: 'published' },
    { id: await create(), tags: ['mine'] },
  ]);
  expect(data.refusals).toMatchObject([null, { code: 'role_insufficient' }, { code: 'role_insufficient' }]);
  const rights = async (id: string) => (await author.call('GET', `/sites/${site.slug}/content/${id}/rights`)).data;
  expect(await rights(own)).toEqual({ may_write: true, reason: null });
  expect(await rights(await create())).toMatchObject({ may_write: false, reason: expect.stringMatching('created') });
});

test('no item, more than 100, and unknown members are refused', async () => {
  const id = await create();
  const many = Array.from({ length: 101 }, () => ({ id }));
  for (const items of [[], many, [{ id, title: 'x' }], [{ id: 'x' }]])
    expect((await change(editor, 'update', items)).status).toBe(422);
});
