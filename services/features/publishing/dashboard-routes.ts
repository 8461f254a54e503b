import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { timestampOrNull } from '../../core/timestamp.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { findChanges } from './changes.ts';
import { activityRecord, changesRecord, releaseDifferenceRecord } from './dashboard-schema.ts';
import { presentJob } from './jobs/present.ts';
import { selectNewestJobs } from './jobs/sql.ts';
import { compareReleases } from './release-difference.ts';

const shownJobs = 10;
const maxListedPaths = 200;

const presentPaths = (all: readonly string[]) => ({ number: all.length, listed: all.slice(0, maxListedPaths) });

/** The calls of the dashboard about publishing. */
export const publishingCalls: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/changes',
    operationId: 'listChanges',
    summary: 'What the next publish would change',
    session: 'signed_in',
    operationKind: 'read',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: changesRecord },
    async handler({ app, db, site }) {
      const { items, ...parts } = await findChanges(db, app.objects, site);
      const listed = items.listed.map((item) => ({ ...item, updated_at: timestampOrNull(item.updated_at) }));
      return ok({ live_release: site.live_release, items: { ...items, listed }, ...parts });
    },
  }),
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/activity',
    operationId: 'getActivity',
    summary: 'The newest jobs of a site and its live release; as events, whenever they change',
    session: 'signed_in',
    operationKind: 'read',
    follow: true,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: activityRecord },
    async handler({ db, site }) {
      const { liveRelease, jobs } = await selectNewestJobs(db, site.id, shownJobs);
      return ok({ live_release: liveRelease, jobs: jobs.map(presentJob) });
    },
  }),
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/releases/:release/difference/:other',
    operationId: 'compareReleases',
    summary: 'The paths whose reply differs between a release and an earlier or later one',
    session: 'signed_in',
    operationKind: 'publish',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: releaseDifferenceRecord },
    errors: ['not_found'],
    async handler({ app, db, site, params }) {
      const [release, other] = [requireId(params['release'], 'release'), requireId(params['other'], 'release')];
      const { added, changed, removed } = await compareReleases(db, app.objects, site.id, { from: other, to: release });
      return ok({ added: presentPaths(added), changed: presentPaths(changed), removed: presentPaths(removed) });
    },
  }),
];
