import { notFound } from '../../core/errors.ts';
import { raw } from '../../core/reply.ts';
import { dashboardFiles } from '../../dashboard/index.ts';
import type { App } from '../../features/app.ts';
import type { DashboardRoute } from '../../features/dashboard-route.ts';
import { type Context, headerOf } from '../context.ts';
import { runStages } from '../pipeline.ts';
import type { PlainHandler } from '../server.ts';
import { createSessionCookie } from './cookie.ts';
import { createDashboardStages } from './stages.ts';

const base = '/dashboard';

/** Forbids inline code, other origins and frames. Browsers send no `Referer`. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const isBrowser = (ctx: Context): boolean => (headerOf(ctx, 'accept') ?? '').includes('text/html');

/** Creates the handlers of the dashboard: its pages, and the calls under `/dashboard/api`, the only ones that accept a cookie. */
export function createDashboardHandlers(app: App, routes: readonly DashboardRoute[]): PlainHandler[] {
  const stages = createDashboardStages(app, createSessionCookie(app.config));
  const calls = routes.map((route): PlainHandler => {
    const own = stages.of(route);
    return {
      method: route.method,
      path: `${base}/api${route.path}`,
      handle: async (ctx) => (await runStages(own, ctx))!,
    };
  });
  const pages = dashboardFiles.map(({ path, type, body }): PlainHandler => {
    return {
      method: 'GET',
      path: base + path,
      handle: async () => raw(200, body, { ...pageHeaders, 'Content-Type': type }),
    };
  });
  // browsers are redirected from `/` to the dashboard; other clients get 404 for every method
  const roots = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method): PlainHandler => {
    return {
      method,
      path: '/',
      async handle(ctx) {
        if (method !== 'GET' || !isBrowser(ctx)) throw notFound('route; GET /openapi.json lists all of them');
        return raw(302, null, { Location: base, Vary: 'Accept' });
      },
    };
  });
  return [...roots, ...pages, ...calls];
}
