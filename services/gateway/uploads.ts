import { empty } from '../core/reply.ts';
import type { App } from '../features/app.ts';
import { openUploadServer, uploadsPath } from '../features/media/index.ts';
import type { AppRoute } from '../features/route.ts';
import { createUploadRoutes } from './routes.ts';
import type { PlainHandler } from './server.ts';

/** Creates the resumable uploads: routes that pass the stages, and the CORS preflight, which has no key. */
export async function createUploads(app: App): Promise<{ routes: AppRoute[]; preflight: PlainHandler[] }> {
  const server = await openUploadServer(app);
  const preflight = [uploadsPath, `${uploadsPath}/:id`].map((path): PlainHandler => {
    return {
      method: 'OPTIONS',
      path,
      async handle({ req, res, params, replyHeaders }) {
        for (const [name, value] of Object.entries(replyHeaders)) res.setHeader(name, value);
        await server.handle(req, res, { id: params.id, userId: null });
        return empty(res.statusCode); // already sent
      },
    };
  });
  return { routes: createUploadRoutes(server), preflight };
}
