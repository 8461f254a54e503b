import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type SiteRole, siteRoles } from '../../services/core/roles.ts';
import { allowsSite, grants, type Scope, scopes } from '../../services/core/scopes.ts';
import type { AppRoute } from '../../services/features/route.ts';
import { addTeamMember, createTeam, removeSiteRole } from '../../services/features/users/index.ts';
import { routes } from '../../services/gateway/routes.ts';
import { closeStack, makeSite, request, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeMember, makeUser, type TestUser } from '../harness/people.ts';
import { mayUse, nameOf, pathOn } from '../harness/rights.ts';

let site: TestSite;
let other: TestSite;
beforeAll(async () => {
  [site, other] = [await makeSite(), await makeSite()];
});
afterAll(closeStack);

const onSites = routes.filter(({ path }) => path.includes(':site'));
const deletesSite = (route: AppRoute) => nameOf(route) === 'DELETE /sites/:site';

/** Returns `refused` with the code if scope, site list or role refuse; else `allowed`, whatever the result. */
async function ask(key: string, route: AppRoute, slug: string): Promise<string> {
  const body = route.body.kind === 'ignored' ? {} : { body: {} };
  const { status, error } = await request(route.method, pathOn(slug, route), { key, ...body });
  expect(status).not.toBe(401);
  return status === 403 ? `refused: ${error.code}` : 'allowed';
}

async function joinTeam(user: TestUser, sites: string[], role: SiteRole): Promise<void> {
  await stackDatabase().transaction(async (tx) => {
    const { slug } = await createTeam(tx, `t-${randomUUID()}`, sites, role);
    await addTeamMember(tx, slug, user.email);
  });
}

interface Person {
  /** On `site`; undefined without a role there. */
  role: SiteRole | undefined;
  make(): Promise<TestUser>;
}

const people: Record<string, Person> = {
  ...Object.fromEntries(siteRoles.map((role) => [role, { role, make: () => makeMember(site.slug, role) }])),
  'editor by a team': {
    role: 'editor',
    async make() {
      const user = await makeMember(site.slug, 'viewer');
      await joinTeam(user, ['to-come', site.slug], 'editor');
      return user;
    },
  },
  'viewer of every site': { role: 'viewer', make: () => makeMember('*', 'viewer') },
  'owner of another site': { role: undefined, make: () => makeMember(other.slug, 'owner') },
  'user whose role was taken away': {
    role: undefined,
    async make() {
      const user = await makeMember(site.slug, 'owner');
      await stackDatabase().transaction((tx) => removeSiteRole(tx, user.email, site.slug));
      return user;
    },
  },
  administrator: { role: 'owner', make: () => makeUser({ administrator: true }) },
  'user to whom no role was ever given': { role: 'owner', make: () => makeUser() },
};

describe.each(Object.entries(people))('with an admin key for every site, the %s', (_name, { role, make }) => {
  // rule: resource.14, threat.45
  test('may use the routes of the site that the contract says, and no other', async () => {
    const key = await (await make()).makeKey();
    const refusal = role ? 'refused: role_insufficient' : 'refused: site_not_allowed';
    const seen: [string, string][] = [];
    for (const route of onSites) {
      if (deletesSite(route) && mayUse(role, route)) continue;
      seen.push([nameOf(route), await ask(key, route, site.slug)]);
    }
    const expected = seen.map(([name]) => {
      const route = onSites.find((one) => nameOf(one) === name)!;
      return [name, mayUse(role, route) ? 'allowed' : refusal];
    });
    expect(seen).toEqual(expected);
  });
});

test.each(['owner', 'administrator', 'user to whom no role was ever given'])(
  'the %s may delete a site',
  async (name) => {
    const doomed = await makeSite();
    const user = await people[name]!.make();
    if (name === 'owner') await user.setRole(doomed.slug, 'owner');
    const { status } = await request('DELETE', `/sites/${doomed.slug}`, { key: await user.makeKey() });
    expect(status).toBe(200);
  },
);

const role = fc.option(fc.constantFrom(...siteRoles), { nil: undefined });
const scopeNames = (Object.keys(scopes) as Scope[]).filter((scope) => !scope.startsWith('backup:'));
const aKey = fc.record({
  scopes: fc.oneof(fc.constant<Scope[]>(['admin']), fc.subarray(scopeNames, { minLength: 1 })),
  sites: fc.subarray(['*', 'site', 'other'], { minLength: 1 }),
});
const aUser = fc.record({
  site: role,
  other: role,
  everywhere: role,
  byTeam: role,
  teamSites: fc.subarray(['site', 'other', '*']),
});
const asked = fc.record({
  route: fc.constantFrom(...onSites.filter((one) => !deletesSite(one))),
  on: fc.constantFrom('site', 'other'),
});

// rule: threat.45
test('no key does more than its scopes, its sites and its user together may, and none does less', async () => {
  const slugs: Record<string, string> = { site: site.slug, other: other.slug, '*': '*' };
  const given = (names: string[]) => names.map((name) => slugs[name]!);
  await fc.assert(
    fc.asyncProperty(aUser, aKey, fc.array(asked, { minLength: 5, maxLength: 12 }), async (who, what, requests) => {
      // a user whose role was removed has none, unlike one who was never given any
      const user = await makeMember(site.slug, 'owner');
      await stackDatabase().transaction((tx) => removeSiteRole(tx, user.email, site.slug));
      for (const [name, one] of [
        ['site', who.site],
        ['other', who.other],
        ['*', who.everywhere],
      ] as const)
        if (one) await user.setRole(slugs[name]!, one);
      if (who.byTeam) await joinTeam(user, given(who.teamSites), who.byTeam);
      const key = await user.makeKey(what.scopes, given(what.sites));

      for (const { route, on } of requests) {
        const slug = slugs[on]!;
        const inTeam = who.byTeam && allowsSite(given(who.teamSites), slug) ? [who.byTeam] : [];
        const roles = [on === 'site' ? who.site : who.other, who.everywhere, ...inTeam];
        const userMay = roles.some((one) => mayUse(one, route));
        const keyMay = grants(what.scopes, route.scope) && allowsSite(given(what.sites), slug);
        const found = await ask(key, route, slug);
        expect([nameOf(route), on, found.split(':')[0]]).toEqual([
          nameOf(route),
          on,
          userMay && keyMay ? 'allowed' : 'refused',
        ]);
      }
    }),
    { numRuns: 25 },
  );
});
