import { empty } from '../core/reply.ts';
import type { App } from '../features/app.ts';
import { openUploadServer, uploadsPath } from '../features/media/index.ts';
import type { AppRoute } from '../features/route.ts';
import { createUploadRoutes } from './routes.ts';
import type { PlainHandler } from './server.ts';

/** Resumable uploads: routes that go down the stages, and the question of browsers whether they may ask, which has no key. */
export async function createUploads(app: App): Promise<{ routes: AppRoute[]; preflight: PlainHandler[] }> {
  const server = await openUploadServer(app);
  const preflight = [uploadsPath, `${uploadsPath}/:id`].map((path): PlainHandler => {
    return {
      method: 'OPTIONS',
      path,
      async handle({ req, res, params, replyHeaders }) {
        for (const [name, value] of Object.entries(replyHeaders)) res.setHeader(name, value);
        await server.handle(req, res, { id: params.id, userId: null });
        return empty(res.statusCode); // sent already
      },
    };
  });
  return { routes: createUploadRoutes(server), preflight };
}
