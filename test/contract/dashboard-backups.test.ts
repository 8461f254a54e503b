import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, request, type TestSite } from '../harness/api.ts';
import { type DashboardClient, signInByLink } from '../harness/dashboard.ts';
import { makeMember, makeUser } from '../harness/people.ts';

let site: TestSite;
let owner: DashboardClient;
let administrator: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  owner = await signInByLink((await makeMember(site.slug, 'owner')).id);
  administrator = await signInByLink((await makeUser({ administrator: true })).id);
});
afterAll(closeStack);

const at = (path = '') => `/sites/${site.slug}/backups${path}`;

test('an owner backs the site up, verifies the backup and sees it in the list; the audit log names the user', async () => {
  const made = await owner.call('POST', at());
  expect([made.status, made.data]).toMatchObject([200, { kind: 'site', site: site.slug }]);
  expect((await owner.call('POST', at(`/${made.data.id}/verify`))).data).toMatchObject({ id: made.data.id, ok: true });
  const { data } = await owner.call('GET', at());
  expect(data.backups.map(({ id }: { id: string }) => id)).toEqual([made.data.id]);
  expect(data.schedule).toMatchObject({ every_hours: expect.any(Number), place: null });
  expect((await administrator.call('GET', at())).data.schedule.place).toEqual(expect.any(String));
  const { data: changes } = await site.request('GET', '/audit?operation=backups.create');
  expect(changes[0]).toMatchObject({ via: 'dashboard', target: { id: made.data.id } });
});

test('an administrator restores a backup as a new site; an owner of one site may not', async () => {
  await site.request('POST', '/content', { title: 'In the backup' });
  const { data: backup } = await owner.call('POST', at());
  const slug = `restored-${randomUUID().slice(0, 8)}`;
  const refused = await owner.call('POST', at(`/${backup.id}/restore`), { as: slug });
  expect([refused.status, refused.error.code]).toEqual([403, 'site_not_allowed']);
  const restored = await administrator.call('POST', at(`/${backup.id}/restore`), { as: slug });
  expect([restored.status, restored.data.site.slug]).toEqual([200, slug]);
  const { data } = await request('GET', `/sites/${slug}/content`, { key: site.key });
  expect(data.map(({ title }: { title: string }) => title)).toContain('In the backup');
});

test('an unknown backup is 404, and other roles are refused', async () => {
  for (const id of [randomUUID(), '%00', 'no-id'])
    expect((await owner.call('POST', at(`/${id}/verify`))).status).toBe(404);
  const editor = await signInByLink((await makeMember(site.slug, 'editor')).id);
  expect((await editor.call('GET', at())).error.code).toBe('role_insufficient');
});
