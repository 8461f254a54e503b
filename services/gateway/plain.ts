import type { App } from '../features/app.ts';
import type { AppRoute } from '../features/route.ts';
import { createInboundHandlers } from './inbound.ts';
import { createOpenApi } from './openapi.ts';
import type { PlainHandler } from './server.ts';
import { createUploadHandlers } from './uploads.ts';

/** What the gateway answers outside the REST base, without a key (contract: Beyond the specification; Processes). */
export function createPlainHandlers(app: App, routes: readonly AppRoute[]): PlainHandler[] {
  let openApi: string | undefined;
  return [
    ...createInboundHandlers(app),
    ...createUploadHandlers(app),
    {
      method: 'GET',
      path: '/openapi.json',
      async handle({ app }) {
        openApi ??= JSON.stringify(createOpenApi(routes, app.config));
        return {
          status: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' },
          body: openApi,
        };
      },
    },
    {
      method: 'GET',
      path: '/healthz',
      handle: async () => ({ status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'ok\n' }),
    },
  ];
}
