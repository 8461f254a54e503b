import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type ItemPreview,
  type ItemPreviewInput,
  itemPreviewTimeoutMs,
  itemPreviewType,
} from '../../../workflows/contracts/item-preview.ts';
import { requireId } from '../../core/ids.ts';
import { itemPreviewLifetimeMs, previewUrl } from '../../core/preview-token.ts';
import { accepted, list, ok } from '../../core/reply.ts';
import { sample } from '../../core/sample.ts';
import { pageQuery, timestampText } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { requireContent } from '../content/index.ts';
import { type AppRoute, route } from '../route.ts';
import { listReleases, planRollback, type ReleaseRow, requireRelease, rollBack } from './releases.ts';
import { requestPublish, selectLatestRebuild } from './request.ts';
import { explainPage } from './why.ts';
import { whyQuery, whyRecord } from './why-schema.ts';

const tag = 'Publishing';

const releaseRecord = z
  .object({
    id: z.uuid(),
    live: z.boolean(),
    pages: z.int(),
    changed: z.int().describe('Pages that differ from the release before'),
    bytes: z.int(),
    created_at: timestampText,
  })
  .meta({
    id: 'Release',
    example: { id: sample.id, live: true, pages: 214, changed: 3, bytes: 1812044, created_at: sample.at },
  });

const previewRecord = z
  .object({
    url: z.string().nullable().describe('Null while nothing has been built'),
    job: z.uuid().nullable().describe('The latest rebuild'),
    expires_at: timestampText.nullable(),
  })
  .meta({
    id: 'ShellPreview',
    example: { url: 'https://edge.example.com/previews/abc/', job: sample.other, expires_at: sample.at },
  });

const itemPreviewRecord = z.object({ url: z.string(), expires_at: timestampText }).meta({
  id: 'ItemPreview',
  example: { url: 'https://edge.example.com/previews/abc/posts/what-a-cairn-is-for/', expires_at: sample.at },
});

const queuedJob = z
  .object({ job: z.uuid().describe('For `getJob`') })
  .meta({ id: 'QueuedJob', example: { job: sample.other } });

function presentRelease({ id, live, pages, changed, bytes, created_at }: ReleaseRow) {
  return { id, live, pages, changed, bytes, created_at: formatTimestamp(created_at) };
}

export const publishingRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites/:site/publish',
    operationId: 'publishSite',
    scope: 'publish',
    tag,
    summary: 'Publish the stored site; the reply names the job to poll',
    description:
      'Requests that arrive while the site is being built are all served by the next build, each with a job of its own. Scheduled items and webhook deliveries publish by themselves.',
    body: { kind: 'empty' },
    reply: { status: 202, schema: queuedJob, description: 'Queued' },
    async handler({ app, db, site, afterCommit }) {
      const job = await requestPublish(db, site.id, 'publish');
      afterCommit(() => app.actors.wakeSite(site.id));
      return accepted({ job });
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/releases',
    operationId: 'listReleases',
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
    method: 'GET',
    path: '/sites/:site/releases/:release',
    operationId: 'getRelease',
    scope: 'publish',
    tag,
    summary: 'Read a release that is or was live',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: releaseRecord },
    async handler({ db, site, params }) {
      return ok(presentRelease(await requireRelease(db, site.id, requireId(params.release, 'release'))));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/releases/:release/why',
    operationId: 'explainPage',
    scope: 'publish',
    tag,
    summary: 'Why the build of a release made a page, or reused it',
    description:
      'Each page remembers what it read while it was rendered. The reasons name what had changed since the release that was replaced. A page without reasons was as it is. The reply stays the same when that release is deleted.',
    query: whyQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: whyRecord },
    async handler({ app, db, objects, site, params, query }) {
      const release = requireId(params.release, 'release');
      const why = await explainPage({ db, objects, threads: app.threads }, site.id, release, query.path);
      return ok({ path: query.path, ...why });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/releases/:release/rollback',
    operationId: 'rollBackRelease',
    scope: 'publish',
    tag,
    summary: 'Make an earlier release live again, without a build',
    description: 'Stored content does not change: the next publish builds it and makes it live.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: releaseRecord },
    prepare: ({ app, site, params }) => planRollback(app, site.id, requireId(params.release, 'release')),
    async handler({ app, db, objects, site, prepared, afterCommit }) {
      const release = await rollBack({ tx: db, objects, config: app.config }, site.id, prepared);
      afterCommit(() => void app.edges.siteSwapped(site.id)); // if it never runs, edges read the swap by themselves
      return ok(presentRelease(release));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/shell/preview',
    operationId: 'getShellPreview',
    scope: 'shell:read',
    tag: 'Shell',
    summary: 'Get the URL of the latest preview, which expires',
    description: 'Anyone who has the URL can open it until it expires.',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: previewRecord },
    async handler({ app, db, site }) {
      const job = await selectLatestRebuild(db, site.id);
      if (!site.preview_release) return ok({ url: null, job, expires_at: null });
      const { url, expiresAt } = previewUrl(app.config, site.id, site.preview_release);
      return ok({ url, job, expires_at: formatTimestamp(expiresAt) });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/content/:id/preview',
    operationId: 'previewContent',
    scope: 'content:read',
    tag: 'Content',
    summary: 'Render an item in any state, its pending draft included, with the lists that show it',
    description:
      'The link opens the page of the item as it would be if it were published now; all other pages are those of the live site. Nothing is published. Anyone who has the link can open it until it expires. A template that fails is 422 with its line.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: itemPreviewRecord },
    errors: ['translation_taken'],
    transaction: { none: 'A worker renders and stores what the link opens; the item and the site stay as they are.' },
    async prepare({ app, db, site, params }) {
      const { id: contentId } = await requireContent({ db, site }, requireId(params.id, 'content item'));
      const input: ItemPreviewInput = { siteId: site.id, contentId };
      const options = { id: `item-preview:${randomUUID()}`, input, timeoutMs: itemPreviewTimeoutMs };
      return app.actors.run<ItemPreview>(itemPreviewType, options);
    },
    async handler({ app, site, prepared: { release, path } }) {
      const { url, expiresAt } = previewUrl(app.config, site.id, release, new Date(), itemPreviewLifetimeMs);
      return ok({ url: url + path.slice(1), expires_at: formatTimestamp(expiresAt) });
    },
  }),
];
