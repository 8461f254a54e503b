import { describe, expect, test } from '@jest/globals';
import { type SiteRole, siteRoles, sitesWithRole, type UserRoles } from '../../../services/core/roles.ts';
import type { Scope } from '../../../services/core/scopes.ts';
import { decide, grantOf, type OperationKind, operationKindOf } from '../../../services/features/access/index.ts';
import { operationKinds } from '../../../services/features/access/policy.ts';
import type { UploadServer } from '../../../services/features/media/uploads/server.ts';
import { createUploadRoutes, routes as restRoutes } from '../../../services/gateway/routes.ts';

const noServer: UploadServer = { handle: () => Promise.reject(new Error('not asked')) };
const routes = [...restRoutes, ...createUploadRoutes(noServer)];

const user = (onSites: Record<string, SiteRole>, administrator = false): UserRoles => ({
  administrator,
  onSites: new Map(Object.entries(onSites)),
});
const strength = { all: 2, own: 1, none: 0 };

describe('the policy', () => {
  // contract: People, agents and paths
  const written: Record<SiteRole, Partial<Record<OperationKind, string>>> = {
    owner: Object.fromEntries(operationKinds.map((operation) => [operation, 'all'])),
    editor: Object.fromEntries(
      [
        ...['read', 'integrations.manage', 'content.write', 'media.write', 'shell.write', 'components.write'],
        ...['redirects.write', 'scripts.write', 'types.write', 'publish'],
      ].map((operation) => [operation, 'all']),
    ),
    author: { read: 'all', 'integrations.manage': 'all', 'content.write': 'own', 'media.write': 'own' },
    viewer: { read: 'all', 'integrations.manage': 'all' },
  };

  test.each(siteRoles)('says of the role %s what the contract says', (role) => {
    const found = operationKinds.map((operation) => [operation, grantOf(role, operation)]);
    expect(found).toEqual(operationKinds.map((operation) => [operation, written[role][operation] ?? 'none']));
  });

  test('allows no role more than a stronger one', () => {
    for (const operation of operationKinds) {
      const grants = siteRoles.map((role) => strength[grantOf(role, operation)]);
      expect([operation, grants]).toEqual([operation, grants.toSorted((a, b) => b - a)]);
    }
  });

  test('lets every role manage integrations (spec: Webhook integration)', () => {
    expect(siteRoles.map((role) => grantOf(role, 'integrations.manage'))).toEqual(['all', 'all', 'all', 'all']);
  });
});

describe('a user', () => {
  test('may do on a site what the stronger of the role there and the role on every site allows', () => {
    const one = user({ '*': 'viewer', news: 'editor', blog: 'viewer' });
    expect(['news', 'blog', 'other'].map((slug) => decide(one, 'publish', slug))).toEqual(['all', 'none', 'none']);
    expect(decide(user({ '*': 'owner', news: 'viewer' }), 'sites.delete', 'news')).toBe('all');
  });

  test('may do nothing, reading included, where they have no role', () => {
    expect(operationKinds.map((operation) => decide(user({ news: 'owner' }), operation, 'blog'))).toEqual(
      operationKinds.map(() => 'none'),
    );
  });

  test('may do everything everywhere as an administrator', () => {
    expect(operationKinds.map((operation) => decide(user({}, true), operation, 'any'))).toEqual(
      operationKinds.map(() => 'all'),
    );
  });

  test.each<[string, UserRoles, string[], string[] | null]>([
    ['an administrator, of a key for every site', user({}, true), ['*'], null],
    ['an administrator, of a pinned key', user({}, true), ['a', 'b'], ['a', 'b']],
    ['a member of every site, of a key for every site', user({ '*': 'viewer' }), ['*'], null],
    ['a member of one, of a key for every site', user({ a: 'viewer' }), ['*'], ['a']],
    ['a member of one, of a pinned key', user({ a: 'viewer', c: 'owner' }), ['a', 'b'], ['a']],
    ['a member of none', user({}), ['*'], []],
  ])('sees those sites of a list on which they have a role: %s', (_who, roles, list, expected) => {
    expect(sitesWithRole(roles, list)).toEqual(expected);
  });
});

describe('the operation of a route', () => {
  test('is known for every route', () => {
    for (const route of routes) expect(operationKinds).toContain(operationKindOf(route));
  });

  test('is to read for what changes nothing, and for nothing else', () => {
    const found = routes.filter((route) => operationKindOf(route) === 'read' && route.method !== 'GET');
    expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /sites/:site/content/:id/fact-check',
      'POST /sites/:site/shell/archive/preview',
      'POST /sites/:site/components/:handle/try',
      'POST /sites/:site/content/:id/preview',
    ]);
    const narrower = routes.filter((route) => operationKindOf(route) !== 'read' && route.method === 'GET');
    expect(narrower.map(({ path }) => path)).toEqual(['/sites/:site/audit', '/audit']);
  });

  // rule: threat.45
  test.each<Scope>(['sites:write', 'admin', 'backup:run'])(
    'must be declared where only the scope %s is known',
    (scope) => {
      const route = { method: 'POST', path: '/sites/:site/new', scope };
      expect(() => operationKindOf(route)).toThrow('must declare its operationKind');
      expect(operationKindOf({ ...route, operationKind: 'settings.write' })).toBe('settings.write');
    },
  );

  test('is one whose own records are kept apart, wherever a role has only its own', () => {
    const withOwn = operationKinds.filter((operation) => siteRoles.some((role) => grantOf(role, operation) === 'own'));
    for (const route of routes)
      expect([route.path, Boolean(route.ownRecords)]).toEqual([route.path, withOwn.includes(operationKindOf(route))]);
  });
});
