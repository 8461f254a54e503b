import { notFound, problem } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { list, ok } from '../../../core/reply.ts';
import { pageQuery } from '../../../core/schema.ts';
import { allowsSite } from '../../../core/scopes.ts';
import { requireOnSite } from '../../access/index.ts';
import { type AppRoute, route } from '../../route.ts';
import { jobRecord, presentJob } from './present.ts';
import { selectJob, selectJobs } from './sql.ts';

const tag = 'Jobs';

export const jobRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/jobs/:uuid',
    operationId: 'getJob',
    scope: 'jobs:read',
    tag,
    summary: 'Read a job',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: jobRecord },
    errors: ['site_not_allowed'],
    async handler({ db, key, params }) {
      const job = await selectJob(db, requireId(params.uuid, 'job'));
      if (!job) throw notFound('job');
      if (!allowsSite(key.sites, job.site_slug))
        throw problem('site_not_allowed', "This key is not allowed to use that job's site.");
      requireOnSite(key.roles, 'read', job.site_slug);
      return ok(presentJob(job));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/jobs',
    operationId: 'listJobs',
    scope: 'jobs:read',
    tag,
    summary: 'List the jobs of a site',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: jobRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectJobs(db, site.id, query);
      return list(rows.map(presentJob), total, query);
    },
  }),
];
