import { expect, test } from '@jest/globals';
import type { App } from '../../../../services/features/app.ts';
import type { DashboardRoute } from '../../../../services/features/dashboard-route.ts';
import { createSessionCookie } from '../../../../services/gateway/dashboard/cookie.ts';
import { createDashboardStages } from '../../../../services/gateway/dashboard/stages.ts';
import { dashboardRoutes } from '../../../../services/gateway/routes.ts';

const config = { url: 'http://localhost:8080', rateLimitDashboard: 0, rateLimitSignInIp: 0, rateLimitSignInAccount: 0 };
const stages = createDashboardStages({ config } as unknown as App, createSessionCookie(config));

test('every call has a unique name, and a session unless it leads to one', () => {
  const names = dashboardRoutes.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const open = dashboardRoutes.filter(({ session }) => session === 'none').map(({ operationId }) => operationId);
  expect(open).toEqual([
    'signIn',
    'signOut',
    'inspectLink',
    'acceptLink',
    'requestReset',
    'openKeyRequest',
    'claimKey',
  ]);
});

test('a call below a site that declares no kind of operation, or needs no session, is not served', () => {
  const onSite = dashboardRoutes.find(({ path }) => path.includes(':site'))!;
  const { operationKind, ...withoutKind } = onSite;
  expect(operationKind).toBeDefined();
  for (const broken of [withoutKind, { ...onSite, session: 'none' as const }])
    expect(() => stages.of(broken as DashboardRoute)).toThrow(onSite.path);
});

test('every call that takes a password, a code or a token is throttled', () => {
  const taking = dashboardRoutes.filter(
    ({ body }) =>
      body.kind === 'json' && /"(password|code|token)"/.test(JSON.stringify(body.schema.toJSONSchema({ io: 'input' }))),
  );
  expect(taking.length).toBeGreaterThan(5);
  expect(taking.filter(({ attempt }) => !attempt)).toEqual([]);
});
