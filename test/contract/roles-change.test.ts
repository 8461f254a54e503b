import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  removeSiteRole,
  removeTeamMember,
  setAdministrator,
  setTeamRole,
  setTeamSites,
} from '../../services/features/users/index.ts';
import { closeStack, makeSite, publish, request, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeMember, makeUser, type TestUser } from '../harness/people.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const db = stackDatabase;
/** Returns the statuses of the same request on each gateway; both have accepted the key before. */
const onEach = (method: string, path: string, key: string) =>
  Promise.all(
    stack.gateways.map(
      async (_, gateway) => (await request(method, `/sites/${site.slug}${path}`, { key, gateway })).status,
    ),
  );
const publishes = (key: string) => onEach('POST', '/publish', key);
const reads = (key: string) => onEach('GET', '/content', key);

async function makeTeam(sites: string[], user: TestUser, role: 'editor' | null): Promise<string> {
  return db().transaction(async (tx) => {
    const { slug } = await createTeam(tx, `t-${randomUUID()}`, sites, role);
    await addTeamMember(tx, slug, user.email);
    return slug;
  });
}

describe('a key shrinks with its user, from the next request on and on every gateway', () => {
  // rule: threat.45
  test('when the role does', async () => {
    const user = await makeMember(site.slug, 'editor');
    const key = await user.makeKey();
    expect(await publishes(key)).toEqual([202, 202]);
    await user.setRole(site.slug, 'viewer');
    expect([await publishes(key), await reads(key)]).toEqual([
      [403, 403],
      [200, 200],
    ]);
    await user.setRole(site.slug, 'editor');
    expect(await publishes(key)).toEqual([202, 202]);
  });

  // rule: threat.46
  test('when the role is taken away: nothing is left, reading included', async () => {
    const user = await makeMember(site.slug, 'owner');
    const key = await user.makeKey();
    expect(await reads(key)).toEqual([200, 200]);
    await db().transaction((tx) => removeSiteRole(tx, user.email, site.slug));
    expect(await reads(key)).toEqual([403, 403]);
    expect((await request('GET', '/sites', { key })).data).toEqual([]);
  });

  // rule: threat.45
  test.each<[string, (team: string, email: string) => Promise<unknown>]>([
    ['loses the site', (team) => setTeamSites(db(), team, ['elsewhere'])],
    ['loses the member', (team, email) => removeTeamMember(db(), team, email)],
    ['is deleted', (team) => deleteTeam(db(), team)],
    ['becomes one of viewers', (team) => db().transaction((tx) => setTeamRole(tx, team, 'viewer'))],
  ])('when the team %s', async (_what, change) => {
    const user = await makeUser();
    const team = await makeTeam([site.slug], user, 'editor');
    const key = await user.makeKey();
    expect(await publishes(key)).toEqual([202, 202]);
    await change(team, user.email);
    expect(await publishes(key)).toEqual([403, 403]);
  });

  test('when an administrator is one no longer', async () => {
    const user = await makeUser({ administrator: true });
    const key = await user.makeKey();
    expect(await reads(key)).toEqual([200, 200]);
    await db().transaction((tx) => setAdministrator(tx, user.email, false));
    expect(await reads(key)).toEqual([403, 403]);
  });
});

describe('a user to whom no role was ever given', () => {
  test('has keys that do what their scopes and site lists say, as before there were roles', async () => {
    const user = await makeUser();
    const wide = await user.makeKey();
    expect(await publishes(wide)).toEqual([202, 202]);
    const slug = `t-${randomUUID().slice(0, 13)}`;
    expect((await request('POST', '/sites', { key: wide, body: { name: 'Mine', slug } })).status).toBe(201);
    const narrow = await user.makeKey(['content:read'], [site.slug]);
    expect([await reads(narrow), await publishes(narrow)]).toEqual([
      [200, 200],
      [403, 403],
    ]);
  });

  test('keeps that in a team that gives no role, until the team gives one', async () => {
    const user = await makeUser();
    const team = await makeTeam(['elsewhere'], user, null);
    const key = await user.makeKey();
    expect(await publishes(key)).toEqual([202, 202]);
    await db().transaction((tx) => setTeamRole(tx, team, 'owner'));
    expect(await reads(key)).toEqual([403, 403]);
  });

  // rule: threat.46
  test('has, once a role was given, what the roles say, and never again more', async () => {
    const user = await makeUser();
    const key = await user.makeKey();
    await user.setRole(site.slug, 'viewer');
    expect([await reads(key), await publishes(key)]).toEqual([
      [200, 200],
      [403, 403],
    ]);
    await db().transaction((tx) => removeSiteRole(tx, user.email, site.slug));
    expect(await reads(key)).toEqual([403, 403]);
  });
});

describe('beyond one site', () => {
  test('GET /sites lists the sites on which the user has a role', async () => {
    const other = await makeSite();
    const user = await makeMember(site.slug, 'viewer');
    const list = async (key: string) =>
      (await request('GET', '/sites?per_page=100', { key })).data.map(({ slug }: TestSite) => slug);
    expect(await list(await user.makeKey())).toEqual([site.slug]);
    expect(await list(await user.makeKey(['sites:read'], [other.slug]))).toEqual([]);
    await user.setRole(other.slug, 'author');
    expect(await list(await user.makeKey(['sites:read'], [other.slug]))).toEqual([other.slug]);
  });

  test('a site is created by owners of every site, or of its slug by a team; by nobody else', async () => {
    const create = async (user: TestUser, slug: string) => {
      const { status, error } = await request('POST', '/sites', {
        key: await user.makeKey(),
        body: { name: 'New', slug },
      });
      return [status, error?.code];
    };
    const slugs = Array.from({ length: 3 }, () => `t-${randomUUID().slice(0, 13)}`) as [string, string, string];
    expect(await create(await makeMember(site.slug, 'editor'), slugs[0])).toEqual([403, 'role_insufficient']);
    expect(await create(await makeMember(site.slug, 'owner'), slugs[0])).toEqual([403, 'site_not_allowed']);
    expect(await create(await makeMember('*', 'editor'), slugs[0])).toEqual([403, 'role_insufficient']);
    expect(await create(await makeMember('*', 'owner'), slugs[0])).toEqual([201, undefined]);
    const user = await makeMember(site.slug, 'viewer');
    const team = await makeTeam([slugs[1]], user, 'editor');
    expect(await create(user, slugs[1])).toEqual([403, 'role_insufficient']);
    await db().transaction((tx) => setTeamRole(tx, team, 'owner'));
    expect(await create(user, slugs[1])).toEqual([201, undefined]);
    expect(await create(user, slugs[2])).toEqual([403, 'site_not_allowed']);
  });

  test('a job is read by members of its site', async () => {
    const { uuid } = await publish(site);
    const [member, stranger] = [
      await makeMember(site.slug, 'viewer'),
      await makeMember((await makeSite()).slug, 'owner'),
    ];
    expect((await request('GET', `/jobs/${uuid}`, { key: await member.makeKey() })).status).toBe(200);
    const refused = await request('GET', `/jobs/${uuid}`, { key: await stranger.makeKey() });
    expect([refused.status, refused.error.code]).toEqual([403, 'site_not_allowed']);
  });

  test('the guide is for everybody', async () => {
    const nobody = await makeMember(site.slug, 'viewer');
    await db().transaction((tx) => removeSiteRole(tx, nobody.email, site.slug));
    expect((await request('GET', '/authoring-guide', { key: await nobody.makeKey() })).status).toBe(200);
  });
});

// rule: threat.48
test('a site that is deleted leaves its members no role on a later one of its slug', async () => {
  const first = await makeSite();
  const user = await makeMember(first.slug, 'owner');
  const key = await user.makeKey();
  expect((await request('DELETE', `/sites/${first.slug}`, { key })).status).toBe(200);
  expect((await request('POST', '/sites', { key: site.key, body: { name: 'Next', slug: first.slug } })).status).toBe(
    201,
  );
  expect((await request('GET', `/sites/${first.slug}`, { key })).status).toBe(403);
});

test('scope and site list are judged before the role, the role before the site is looked for', async () => {
  const user = await makeMember('*', 'viewer');
  const code = async (key: string, path: string) => (await request('POST', path, { key, body: {} })).error.code;
  expect(await code(await user.makeKey(['content:read']), '/sites/no-such-site/content')).toBe('scope_missing');
  expect(await code(await user.makeKey(['admin'], ['a']), '/sites/no-such-site/content')).toBe('site_not_allowed');
  expect(await code(await user.makeKey(), '/sites/no-such-site/content')).toBe('role_insufficient');
  const reading = await request('GET', '/sites/no-such-site/content', { key: await user.makeKey() });
  expect(reading.status).toBe(404);
});
