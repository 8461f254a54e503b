import { notFound } from '../../core/errors.ts';
import { raw } from '../../core/reply.ts';
import type { App } from '../../features/app.ts';
import type { DashboardRoute } from '../../features/dashboard-route.ts';
import type { AppRoute } from '../../features/route.ts';
import { type Context, headerOf } from '../context.ts';
import { runStages, type Stages } from '../pipeline.ts';
import type { PlainHandler } from '../server.ts';
import { basePath } from '../target.ts';
import { createSessionCookie } from './cookie.ts';
import { createPageHandlers } from './pages.ts';
import { createDashboardStages } from './stages.ts';

const base = '/dashboard';

const isBrowser = (ctx: Context): boolean => (headerOf(ctx, 'accept') ?? '').includes('text/html');

/** The routes that the dashboard serves. */
export interface DashboardServed {
  /** The calls that only the dashboard has, below `/dashboard/api`. */
  calls: readonly DashboardRoute[];
  /** The REST operations, which the dashboard has below `/dashboard/api/v1`. */
  operations: readonly AppRoute[];
  /** The resumable uploads, which the dashboard has below `/dashboard/uploads`. */
  uploads: readonly AppRoute[];
}

/**
 * Creates the handlers of the dashboard: its page and files, its own calls, and every operation of the REST API for the
 * user of the session. Only these handlers accept a cookie.
 */
export function createDashboardHandlers(
  app: App,
  { afterRouting }: Pick<Stages, 'afterRouting'>,
  { calls: routes, operations, uploads }: DashboardServed,
): PlainHandler[] {
  const cookie = createSessionCookie(app.config);
  const stages = createDashboardStages(app, cookie);
  const calls = routes.map((route): PlainHandler => {
    const own = stages.of(route);
    return {
      method: route.method,
      path: `${base}/api${route.path}`,
      handle: async (ctx) => (await runStages(own, ctx))!,
    };
  });
  const operationStages = [...stages.ofOperations, ...afterRouting];
  const mirror = (route: AppRoute, path: string): PlainHandler => ({
    method: route.method,
    path,
    async handle(ctx) {
      ctx.route = route;
      return (await runStages(operationStages, ctx))!;
    },
  });
  const mirrored = [
    ...operations.map((route) => mirror(route, `${base}${basePath}${route.path}`)),
    ...uploads.map((route) => mirror(route, base + route.path)),
  ];
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
  return [...roots, ...calls, ...mirrored, ...createPageHandlers(app, cookie)];
}
