import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SiteRole, siteRoles } from '../../services/core/roles.ts';
import { addTeamMember, createTeam, setUserActive } from '../../services/features/users/index.ts';
import { dashboardRoutes } from '../../services/gateway/routes.ts';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { type DashboardClient, openDashboard, password, signInByLink, tokenOf } from '../harness/dashboard.ts';
import { makeMember, makeUser } from '../harness/people.ts';

let site: TestSite;
let other: TestSite;
beforeAll(async () => {
  [site, other] = [await makeSite(), await makeSite()];
});
afterAll(closeStack);

const newEmail = () => `u-${randomUUID()}@example.com`;
const signedInAs = async (role: SiteRole, slug = site.slug) => signInByLink((await makeMember(slug, role)).id);
const list = async (client: DashboardClient) => (await client.call('GET', `/sites/${site.slug}/members`)).data.members;

describe('every call of the dashboard', () => {
  /** Written down from the contract, not from the policy: to manage members, event endpoints and backups takes an owner, to see members and manage integrations any role. */
  const ownersOnly = new Set([
    'inviteSiteMember',
    'updateSiteMember',
    'removeSiteMember',
    'showEventEndpointSecret',
    'listBackups',
    'createBackup',
    'verifyBackup',
    'restoreBackup',
  ]);
  const restricted: Record<string, SiteRole[]> = {
    compareReleases: ['owner', 'editor'],
    changeContents: ['owner', 'editor', 'author'],
  };
  const onSites = dashboardRoutes.filter(({ path }) => path.includes(':site'));
  const needing = dashboardRoutes.filter(({ session }) => session !== 'none');
  const pathOf = (path: string, slug: string) => path.replace(':site', slug).replace(/:\w+/g, randomUUID());
  const ask = async (client: DashboardClient, { method, path }: { method: string; path: string }, slug: string) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    return client.call(method, pathOf(path, slug), body);
  };

  // rule: threat.50
  test.each(needing)(
    '$method $path is 401 for a stranger, a deactivated user, an ended and a waiting session',
    async (route) => {
      const gone = await makeMember(site.slug, 'owner');
      const deactivated = await signInByLink(gone.id);
      await stackDatabase().transaction((tx) => setUserActive(tx, gone.email, false));
      const idle = await makeMember(site.slug, 'owner');
      const expired = await signInByLink(idle.id);
      await stackDatabase().query("UPDATE sessions SET expires_at = now() - INTERVAL '1 second' WHERE user_id = $1", [
        idle.id,
      ]);
      const half = await makeMember(site.slug, 'owner');
      const waiting = await signInByLink(half.id);
      const waits = route.session !== 'awaiting_totp';
      await stackDatabase().query('UPDATE sessions SET awaits_totp = $2 WHERE user_id = $1', [half.id, waits]);
      for (const client of [openDashboard(), openDashboard('fieldstone_session_1=x'), deactivated, expired, waiting])
        expect((await ask(client, route, site.slug)).status).toBe(401);
    },
  );

  test.each(onSites)('$method $path is for the roles that the contract says', async (route) => {
    for (const role of siteRoles) {
      const { status, error } = await ask(await signedInAs(role), route, site.slug);
      const allowed = ownersOnly.has(route.operationId) ? ['owner'] : (restricted[route.operationId] ?? siteRoles);
      const mayUse = allowed.includes(role);
      expect([role, status === 403 ? error.code : 'allowed']).toEqual([role, mayUse ? 'allowed' : 'role_insufficient']);
    }
    const administrator = await signInByLink((await makeUser({ administrator: true })).id);
    expect((await ask(administrator, route, site.slug)).status).not.toBe(403);
    expect((await ask(administrator, route, 'no-such-site')).status).toBe(404);
    for (const client of [await signedInAs('owner', other.slug), await signInByLink((await makeUser()).id)]) {
      const { status, error } = await ask(client, route, site.slug);
      expect([status, error.code]).toEqual([403, 'site_not_allowed']);
    }
  });
});

test('the members of a site are those with a role on it, directly, on every site or by a team', async () => {
  const own = await makeSite();
  const [viewer, everywhere, inTeam] = [
    await makeMember(own.slug, 'viewer'),
    await makeMember('*', 'author'),
    await makeUser(),
  ];
  await stackDatabase().transaction(async (tx) => {
    const { slug } = await createTeam(tx, `t-${randomUUID()}`, [own.slug], 'editor');
    await addTeamMember(tx, slug, inTeam.email);
  });
  const client = await signInByLink(viewer.id);
  const members = (await client.call('GET', `/sites/${own.slug}/members`)).data.members;
  const rolesOf = (email: string) =>
    members
      .find((one: { email: string }) => one.email === email)
      ?.roles.map(({ role, site: on }: { role: string; site: string }) => `${role} ${on}`);
  expect(rolesOf(viewer.email)).toEqual([`viewer ${own.slug}`]);
  expect(rolesOf(everywhere.email)).toEqual(['author *']);
  expect(rolesOf(inTeam.email)).toEqual([`editor ${own.slug}`]);
  const emails = members.map(({ email }: { email: string }) => email);
  expect(emails).toEqual([...emails].sort());
});

describe('an invitation', () => {
  test('by an administrator, where no mail is sent, is a link to pass on: it sets name and password', async () => {
    const administrator = await signInByLink((await makeUser({ administrator: true })).id);
    const email = newEmail();
    const invited = await administrator.call('POST', `/sites/${site.slug}/members`, { email, role: 'author' });
    expect([invited.status, invited.data.mail_queued]).toEqual([201, false]);
    const before = (await list(administrator)).find((one: { email: string }) => one.email === email);
    expect(before).toMatchObject({ name: null, has_password: false, active: true, invitation_mail: null });
    const token = tokenOf(invited.data.link);
    const client = openDashboard();
    expect((await client.call('POST', '/links/accept', { token, name: 'Ada' })).status).toBe(422);
    expect((await client.call('POST', '/links/accept', { token, name: 'Ada', password })).data).toEqual({
      next: 'done',
    });
    const me = (await client.call('GET', '/me')).data;
    expect([me.name, me.roles, me.has_password]).toEqual(['Ada', [{ site: site.slug, role: 'author' }], true]);
  });

  test('by an owner is refused where no mail is sent, and makes no user', async () => {
    const owner = await signedInAs('owner');
    const email = newEmail();
    const { status, error } = await owner.call('POST', `/sites/${site.slug}/members`, { email, role: 'author' });
    expect([status, error.code]).toEqual([409, 'conflict']);
    expect((await list(owner)).some((one: { email: string }) => one.email === email)).toBe(false);
  });
});

test('an owner changes and removes roles on the site; both count at once', async () => {
  const owner = await signedInAs('owner');
  const user = await makeMember(site.slug, 'viewer');
  const client = await signInByLink(user.id);
  const member = `/sites/${site.slug}/members/${user.id}`;
  expect((await client.call('PATCH', member, { role: 'owner' })).status).toBe(403);
  expect((await owner.call('PATCH', member, { role: 'owner' })).status).toBe(200);
  expect((await client.call('PATCH', member, { role: 'editor' })).status).toBe(200);
  expect((await owner.call('DELETE', member)).data).toEqual({ id: user.id, deleted: true });
  expect((await client.call('GET', `/sites/${site.slug}/members`)).error.code).toBe('site_not_allowed');
  expect((await owner.call('DELETE', member)).status).toBe(404);
  expect((await owner.call('PATCH', member, { role: 'boss' })).status).toBe(422);
});
