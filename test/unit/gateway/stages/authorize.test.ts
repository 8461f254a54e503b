import { expect, test } from '@jest/globals';
import type { Context } from '../../../../services/gateway/context.ts';
import { loadSite, nameSite, requireScope, requireSiteInList } from '../../../../services/gateway/stages/authorize.ts';

function contextOf(scopes: string[], sites: string[], site?: string): Context {
  return {
    route: { scope: 'content:read' },
    caller: { scopes, sites },
    siteSlug: site,
  } as unknown as Context;
}
const code = (run: () => unknown) => {
  try {
    run();
    return 'passed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test.each([
  [['content:read'], 'passed'],
  [['admin'], 'passed'],
  [['content:write'], 'scope_missing'],
  [['content'], 'scope_missing'],
  [[], 'scope_missing'],
])('scopes %j: %s', (scopes, outcome) => {
  expect(code(() => requireScope(contextOf(scopes, ['*'])))).toBe(outcome);
});

test.each([
  [['a'], 'a', 'passed'],
  [['*'], 'a', 'passed'],
  [['b'], 'a', 'site_not_allowed'],
  [['ab'], 'a', 'site_not_allowed'],
  [[], 'a', 'site_not_allowed'],
  [['b'], undefined, 'passed'],
])('a list of %j and the site %j: %s', (sites, site, outcome) => {
  expect(code(() => requireSiteInList(contextOf(['admin'], sites, site)))).toBe(outcome);
});

test('a slug with NUL names no site, and the database is not asked', async () => {
  await expect(async () => loadSite(contextOf(['admin'], ['*'], 'a\0'))).rejects.toMatchObject({ code: 'not_found' });
});

test('the sentence of a refusal says what is missing, and nothing of the site', () => {
  expect(() => requireScope(contextOf([], ['*']))).toThrow('This key lacks the scope content:read.');
  expect(() => requireSiteInList(contextOf([], [], 'secret-site'))).toThrow(
    'This key is not allowed to use that site.',
  );
});

test('a route without a site loads none', async () => {
  const ctx = contextOf(['admin'], ['*']);
  await loadSite(ctx);
  expect(ctx.site).toBeUndefined();
});

test.each([
  ['the path', undefined, { site: 'a' }, 'a'],
  ['the protocol, where the route says so', async () => 'b', { id: '1' }, 'b'],
  ['nothing', undefined, {}, undefined],
])('the site is named by %s', async (_name, siteOf, params, slug) => {
  const ctx = { route: { siteOf }, params, req: { headers: {} } } as unknown as Context;
  await nameSite(ctx);
  expect(ctx.siteSlug).toBe(slug);
});

test('the site that was read with the key is not read again', async () => {
  const site = { slug: 'a' } as Context['site'];
  const ctx = { ...contextOf(['admin'], ['*'], 'a'), readSite: { slug: 'a', site } } as Context;
  await loadSite(ctx);
  expect(ctx.site).toBe(site);
});

test('a site that the statement of the key did not find is not found', async () => {
  const ctx = { ...contextOf(['admin'], ['*'], 'a'), readSite: { slug: 'a', site: undefined } } as Context;
  await expect(async () => loadSite(ctx)).rejects.toMatchObject({ code: 'not_found' });
});
