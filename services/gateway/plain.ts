import { type Reply, raw } from '../core/reply.ts';
import type { App } from '../features/app.ts';
import type { AppRoute } from '../features/route.ts';
import { createApiDocs } from './api-docs.ts';
import { createInboundHandlers } from './inbound.ts';
import { createOpenApi } from './openapi.ts';
import type { PlainHandler } from './server.ts';

/** Returns the handlers outside the REST base, which need no key (contract: Beyond the specification; Processes). */
export function createPlainHandlers(app: App, routes: readonly AppRoute[]): PlainHandler[] {
  let openApi: Reply | undefined;
  return [
    ...createInboundHandlers(app),
    ...createApiDocs(),
    {
      method: 'GET',
      path: '/openapi.json',
      async handle({ app }) {
        openApi ??= raw(200, JSON.stringify(createOpenApi(routes, app.config)), {
          'Content-Type': 'application/json; charset=utf-8',
          'Access-Control-Allow-Origin': '*',
        });
        return openApi;
      },
    },
    {
      method: 'GET',
      path: '/healthz',
      handle: async () => raw(200, 'ok\n', { 'Content-Type': 'text/plain; charset=utf-8' }),
    },
  ];
}
