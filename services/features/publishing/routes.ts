import { z } from 'zod';
import { accepted, list, ok } from '../../core/http.ts';
import { requireId } from '../../core/ids.ts';
import { previewUrl } from '../../core/preview-token.ts';
import { pageQuery, timestampText } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type AppRoute, route } from '../route.ts';
import { listReleases, planRollback, type ReleaseRow, rollBack } from './releases.ts';
import { requestPublish, selectLatestRebuild } from './request.ts';

const tag = 'Publishing';

const releaseRecord = z.object({
  id: z.uuid(),
  live: z.boolean(),
  pages: z.int(),
  changed: z.int(),
  bytes: z.int(),
  created_at: timestampText,
});

const previewRecord = z.object({
  url: z.string().nullable().describe('Null while nothing has been built'),
  job: z.uuid().nullable().describe('The latest rebuild'),
  expires_at: timestampText.nullable(),
});

function presentRelease({ id, live, pages, changed, bytes, created_at }: ReleaseRow) {
  return { id, live, pages, changed, bytes, created_at: formatTimestamp(created_at) };
}

export const publishingRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites/:site/publish',
    scope: 'publish',
    tag,
    summary: 'Publish the stored site; the reply names the job to poll',
    body: { kind: 'empty' },
    reply: { status: 202, schema: z.object({ job: z.uuid() }), description: 'Queued' },
    async handler({ app, db, site, afterCommit }) {
      const job = await requestPublish(db, site.id, 'publish');
      afterCommit(() => app.actors.wakeSite(site.id));
      return accepted({ job });
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/releases',
    scope: 'publish',
    tag,
    summary: 'List the releases that are or were live, newest first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: releaseRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await listReleases(db, site.id, query);
      return list(rows.map(presentRelease), total, query);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/releases/:release/rollback',
    scope: 'publish',
    tag,
    summary: 'Make an earlier release live again, without a build',
    body: { kind: 'empty' },
    reply: { status: 200, schema: releaseRecord },
    atomic: true,
    prepare: ({ app, site, params }) => planRollback(app, site.id, requireId(params.release, 'release')),
    async handler({ app, db, site, prepared }) {
      const { objects, config } = app;
      return ok(presentRelease(await rollBack({ tx: db, objects, config }, site.id, prepared)));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/shell/preview',
    scope: 'shell:read',
    tag: 'Shell',
    summary: 'Where the latest preview can be seen, at an address of its own that expires',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: previewRecord },
    async handler({ app, db, site }) {
      const job = await selectLatestRebuild(db, site.id);
      if (!site.preview_release) return ok({ url: null, job, expires_at: null });
      const { url, expiresAt } = previewUrl(app.config, site.id, site.preview_release);
      return ok({ url, job, expires_at: formatTimestamp(expiresAt) });
    },
  }),
];
