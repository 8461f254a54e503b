import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, request, stackDatabase, type TestSite } from '../harness/api.ts';
import { type DashboardClient, signInByLink } from '../harness/dashboard.ts';
import { makeMember, makeUser } from '../harness/people.ts';

let site: TestSite;
let administrator: DashboardClient;
let owner: DashboardClient;
let ownerEmail: string;
beforeAll(async () => {
  site = await makeSite();
  administrator = await signInByLink((await makeUser({ administrator: true })).id);
  const user = await makeMember(site.slug, 'owner');
  ownerEmail = user.email;
  owner = await signInByLink(user.id);
});
afterAll(closeStack);

const aKey = (members: Record<string, unknown> = {}) => ({
  name: 'k',
  scopes: ['content:read'],
  sites: ['*'],
  ...members,
});
const opens = async (key: string) => (await request('GET', `/sites/${site.slug}/content`, { key })).status === 200;
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+/, '');

describe('API keys', () => {
  test('a user creates a key, which is shown once, works, and records its use', async () => {
    const { status, data } = await owner.call('POST', '/keys', aKey());
    expect([status, await opens(data.key)]).toEqual([201, true]);
    const found = await eventually('the use is recorded', async () => {
      const { data: list, text } = await owner.call('GET', '/keys');
      expect(text).not.toContain(data.key);
      const record = list.keys.find(({ id }: { id: string }) => id === data.id);
      return record.last_used_at !== null && record;
    });
    expect(found).toMatchObject({ user: ownerEmail, expires_at: null, revoked_at: null });
  });

  test('a key that has expired does not work; an expiry in the past is refused', async () => {
    const { data } = await owner.call('POST', '/keys', aKey({ expires_at: '2999-01-01T00:00:00Z' }));
    expect(await opens(data.key)).toBe(true);
    await stackDatabase().query("UPDATE api_keys SET expires_at = now() - INTERVAL '1 second' WHERE id = $1", [
      data.id,
    ]);
    expect(await opens(data.key)).toBe(false);
    const past = await owner.call('POST', '/keys', aKey({ expires_at: secondsAgo(60) }));
    expect([past.status, past.error.details[0].path]).toEqual([422, 'expires_at']);
  });

  test('a rotated key keeps its old secret for the overlap alone', async () => {
    const { data: old } = await owner.call('POST', '/keys', aKey());
    const { data: renewed } = await owner.call('POST', `/keys/${old.id}/rotate`, { overlap_minutes: 60 });
    expect([await opens(old.key), await opens(renewed.key)]).toEqual([true, true]);
    const { data: last } = await owner.call('POST', `/keys/${old.id}/rotate`, {});
    expect([await opens(renewed.key), await opens(last.key)]).toEqual([false, true]);
  });

  test('a revoked key stops working at once, and the audit log names it', async () => {
    const { data } = await owner.call('POST', '/keys', aKey({ name: 'to revoke' }));
    expect((await owner.call('DELETE', `/keys/${data.id}`)).status).toBe(200);
    expect(await opens(data.key)).toBe(false);
    const rows = await stackDatabase().query(
      'SELECT operation, via, target_kind FROM audit_log WHERE target_id = $1 ORDER BY created_at',
      [data.id],
    );
    const row = { via: 'dashboard', target_kind: 'keys' };
    expect(rows).toEqual([
      { operation: 'createKey', ...row },
      { operation: 'revokeKey', ...row },
    ]);
  });

  test('only administrators see or change the keys of other users', async () => {
    const { data } = await owner.call('POST', '/keys', aKey());
    const stranger = await signInByLink((await makeMember(site.slug, 'owner')).id);
    const ids = async (client: DashboardClient) =>
      (await client.call('GET', '/keys')).data.keys.map(({ id }: { id: string }) => id);
    expect(await ids(stranger)).not.toContain(data.id);
    expect(await ids(administrator)).toContain(data.id);
    for (const [method, path] of [
      ['DELETE', `/keys/${data.id}`],
      ['POST', `/keys/${data.id}/rotate`],
      ['DELETE', '/keys/%00'],
    ] as const)
      expect((await stranger.call(method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
    const foreign = await stranger.call('POST', '/keys', aKey({ user: ownerEmail }));
    expect([foreign.status, foreign.error.code]).toEqual([403, 'role_insufficient']);
    const made = await administrator.call('POST', '/keys', aKey({ user: ownerEmail }));
    expect(await ids(owner)).toContain(made.data.id);
  });

  test('an unknown scope is refused with the scope', async () => {
    const { status, error } = await owner.call('POST', '/keys', aKey({ scopes: ['content:eat'] }));
    expect([status, error.details[0].path]).toEqual([422, 'scopes.0']);
  });
});

describe('users and teams', () => {
  test('are for administrators', async () => {
    for (const [method, path, body] of [
      ['GET', '/users'],
      ['PATCH', `/users/${randomUUID()}`, {}],
      ['POST', `/users/${randomUUID()}/reset`],
      ['GET', '/teams'],
      ['POST', '/teams', { name: 'x', sites: [] }],
      ['PATCH', '/teams/x', {}],
      ['DELETE', '/teams/x'],
      ['POST', '/teams/x/members', { email: 'a@example.com' }],
      ['DELETE', '/teams/x/members', { email: 'a@example.com' }],
    ] as const) {
      const { status, error } = await owner.call(method, path, body);
      expect([path, status, error?.code]).toEqual([path, 403, 'role_insufficient']);
    }
  });

  test('a deactivated user is out at once, and can be activated again', async () => {
    const user = await makeMember(site.slug, 'editor');
    const client = await signInByLink(user.id);
    const set = async (active: boolean) => (await administrator.call('PATCH', `/users/${user.id}`, { active })).data;
    expect(await set(false)).toMatchObject({ id: user.id, active: false });
    expect((await client.call('GET', '/me')).status).toBe(401);
    expect(await set(true)).toMatchObject({ active: true });
    const { data } = await administrator.call('GET', '/users');
    expect(data.users.find(({ id }: { id: string }) => id === user.id)).toMatchObject({
      email: user.email,
      active: true,
    });
  });

  test('administrators change each other, not themselves', async () => {
    const other = await makeUser({ administrator: true });
    const { data } = await administrator.call('PATCH', `/users/${other.id}`, { administrator: false });
    expect(data).toMatchObject({ administrator: false });
    const { data: me } = await administrator.call('GET', '/me');
    const own = await administrator.call('PATCH', `/users/${me.id}`, { active: false });
    expect([own.status, own.error.code]).toEqual([409, 'conflict']);
  });

  test('a reset without a mail server returns the link', async () => {
    const user = await makeMember(site.slug, 'viewer');
    const { data } = await administrator.call('POST', `/users/${user.id}/reset`);
    expect(data).toMatchObject({ user_id: user.id, mail_queued: false, link: { url: expect.stringContaining('#') } });
  });

  test('a team gives its role to its members until it is deleted', async () => {
    const user = await makeUser();
    const name = `Team ${randomUUID()}`;
    const { status, data: team } = await administrator.call('POST', '/teams', {
      name,
      sites: [site.slug],
      role: 'viewer',
    });
    expect([status, team.role]).toEqual([201, 'viewer']);
    const added = await administrator.call('POST', `/teams/${team.slug}/members`, { email: user.email });
    expect(added.data.members).toEqual([user.email]);
    const client = await signInByLink(user.id);
    const mayRead = async () => (await client.call('GET', `/v1/sites/${site.slug}/content`)).status === 200;
    expect(await mayRead()).toBe(true);
    const changed = await administrator.call('PATCH', `/teams/${team.slug}`, { role: 'editor' });
    expect(changed.data).toMatchObject({ role: 'editor', sites: [site.slug] });
    expect((await administrator.call('DELETE', `/teams/${team.slug}`)).status).toBe(200);
    expect(await mayRead()).toBe(false);
    for (const slug of [team.slug, '%00', 'Not%20a%20slug'])
      expect((await administrator.call('PATCH', `/teams/${slug}`, {})).status).toBe(404);
  });
});

describe('signing secrets', () => {
  test('of an integration are shown again to any member, and the audit log says so', async () => {
    const { data: made } = await site.request('POST', '/webhooks', { mapper: 'create_post' });
    const viewer = await signInByLink((await makeMember(site.slug, 'viewer')).id);
    const { status, data } = await viewer.call('POST', `/sites/${site.slug}/webhooks/${made.id}/secret`);
    expect([status, data.secret]).toEqual([200, made.secret]);
    const { data: changes } = await site.request('GET', '/audit');
    expect(changes[0]).toMatchObject({ operation: 'showWebhookSecret', via: 'dashboard', target: { id: made.id } });
    const other = await makeSite();
    const foreign = await administrator.call('POST', `/sites/${other.slug}/webhooks/${made.id}/secret`);
    expect(foreign.status).toBe(404);
  });

  test('of an event endpoint are shown again to owners', async () => {
    const { data: made } = await site.request('POST', '/event-endpoints', {
      url: 'https://example.com/hook',
      events: ['site.published'],
    });
    const path = `/sites/${site.slug}/event-endpoints/${made.id}/secret`;
    expect((await owner.call('POST', path)).data.secret).toBe(made.secret);
    const editor = await signInByLink((await makeMember(site.slug, 'editor')).id);
    expect((await editor.call('POST', path)).status).toBe(403);
  });
});
