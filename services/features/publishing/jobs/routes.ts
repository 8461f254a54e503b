import { z } from 'zod';
import { closeSignalOf } from '../../../core/abortable.ts';
import { notFound, problem } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { list, ok } from '../../../core/reply.ts';
import { pageQuery } from '../../../core/schema.ts';
import { allowsSite } from '../../../core/scopes.ts';
import { requireOnSite } from '../../access/index.ts';
import { type AppRoute, type Input, route } from '../../route.ts';
import { jobRecord, presentJob } from './present.ts';
import { type JobRow, selectJob, selectJobs } from './sql.ts';

const tag = 'Jobs';
const maxWaitSeconds = 60;

const waitSeconds = z
  .string()
  .optional()
  .refine((value = '0') => /^\d{1,2}$/.test(value) && Number(value) <= maxWaitSeconds, {
    error: `must be a whole number from 0 to ${maxWaitSeconds}`,
  })
  .transform((value = '0') => Number(value))
  .meta({
    description: `Seconds to wait for the end of the job, at most ${maxWaitSeconds}. Default 0.`,
    type: 'integer',
    minimum: 0,
    maximum: maxWaitSeconds,
    default: 0,
  });

/** The job that the path names. Throws `not_found`, `site_not_allowed` and `role_insufficient`. */
async function requireJob({ db, caller, params }: Input): Promise<JobRow> {
  const job = await selectJob(db, requireId(params.uuid, 'job'));
  if (!job) throw notFound('job');
  if (!allowsSite(caller.sites, job.site_slug))
    throw problem('site_not_allowed', "This key is not allowed to use that job's site.");
  requireOnSite(caller.roles, 'read', job.site_slug);
  return job;
}

/** Holds the request until the job has ended or its time is over (contract: Beyond the specification); then the handler reads it. */
async function waitForEnd(input: Input<unknown, { wait: number }>): Promise<void> {
  const { app, caller, query, exchange } = input;
  if (query.wait === 0) return;
  const { id, finished_at } = await requireJob(input);
  if (finished_at !== null) return;
  const signal = closeSignalOf(exchange.res);
  if (signal.aborted) return;
  await app.jobEnds.wait(id, { owner: caller.id, timeoutMs: query.wait * 1000, signal });
}

export const jobRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/jobs/:uuid',
    operationId: 'getJob',
    scope: 'jobs:read',
    tag,
    summary: 'Read a job, or wait for its end',
    description:
      'With `wait` the reply comes when the job has succeeded or failed, or after that number of seconds with its state then: look at `finished_at`. It comes earlier while the service restarts, and at once for a key that has 30 such requests under way.',
    query: z.object({ wait: waitSeconds }),
    body: { kind: 'ignored' },
    reply: { status: 200, schema: jobRecord },
    errors: ['site_not_allowed'],
    prepare: waitForEnd,
    handler: async (input) => ok(presentJob(await requireJob(input))),
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
