import { accepted } from '../../core/http.ts';
import { type AppRoute, route } from '../route.ts';
import { requestPublish } from './service.ts';

const tag = 'Publishing';

export const publishingRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites/:site/publish',
    scope: 'publish',
    tag,
    summary: 'Publish the stored site; the reply names the job to poll',
    body: { kind: 'empty' },
    reply: { status: 202, description: '{job}: the UUID of the job' },
    async handler({ app, db, site, afterCommit }) {
      const job = await requestPublish(db, site.id, 'publish');
      afterCommit(() => app.temporal.wakeSite(site.id));
      return accepted({ job });
    },
  }),
];
