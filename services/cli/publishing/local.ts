import { requireId } from '../../core/ids.ts';
import { createLogger } from '../../core/log.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';
import { openActorClient } from '../../engines/actors/open.ts';
import { withHeldObjects } from '../../engines/objects/held-objects.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import {
  createJobEnds,
  explainPage,
  type JobRow,
  listReleases,
  planRollback,
  requestPublish,
  rollBack,
  selectJob,
} from '../../features/publishing/index.ts';
import { auditing, siteChange } from '../auditing.ts';
import type { JobProgress } from '../progress.ts';
import { CliError } from '../run-command.ts';
import { type CommandContext, requireSite } from '../with-database.ts';
import { type PublishingCalls, type PublishResult, unpublished } from './calls.ts';

/** How often progress is shown; the end is shown at once. */
const progressMs = 1000;
const everyRelease = { page: 1, per_page: 1000 };

/** Waits until the job has ended. Throws the job's error. */
async function waitForJob(
  { db, actors }: Pick<CommandContext, 'db'> & { actors: ActorClient },
  id: string,
  onProgress: (progress: JobProgress) => void,
): Promise<JobRow> {
  const ends = createJobEnds({ db, actors, log: createLogger('cli', 'silent') });
  const { signal } = new AbortController();
  for (;;) {
    const job = await selectJob(db, id);
    if (!job) throw new CliError('The job is gone; its site was deleted.', { code: 'not_found' });
    onProgress(job);
    if (job.status === 'failed') throw new CliError(job.error ?? 'The publish failed.');
    if (job.status === 'succeeded') return job;
    await ends.wait(id, { owner: 'cli', timeoutMs: progressMs, signal });
  }
}

/** Returns the calls that publish on the engines of this machine. */
export function localPublishing(context: CommandContext): PublishingCalls {
  const { config, db, edges } = context;
  const openObjects = () => openObjectStore(config.objects, db);
  return {
    async publish(slug, onProgress) {
      const site = await requireSite(context, slug);
      const actors = await openActorClient(config, createLogger('cli', 'silent'));
      try {
        const change = (id: string) => siteChange('publish', site, 'publish', id)();
        const job = await auditing<string>(db, change).transaction((tx) => requestPublish(tx, site.id, 'publish'));
        actors.wakeSite(site.id);
        if (!onProgress) return { job };
        const { status, result } = await waitForJob({ db, actors }, job, onProgress);
        return { job, status, result: result as PublishResult };
      } finally {
        await actors.close();
      }
    },
    async list(slug) {
      const { rows } = await listReleases(db, (await requireSite(context, slug)).id, everyRelease);
      return rows.map(({ id, live, created_at, pages, changed }) => {
        return { id, live, created_at: formatTimestamp(created_at), pages, changed };
      });
    },
    async rollBack(slug, release) {
      const site = await requireSite(context, slug);
      const objects = openObjects();
      const plan = await planRollback({ db, objects }, site.id, requireId(release, 'release'));
      const { id } = await withHeldObjects(objects, (held) =>
        auditing(db, siteChange('releases.rollback', site, 'releases', release)).transaction((tx) =>
          rollBack({ tx, objects: held, config }, site.id, plan),
        ),
      );
      await edges.siteSwapped(site.id);
      return id;
    },
    async why(slug, path, given) {
      const site = await requireSite(context, slug);
      const release = given ?? site.live_release;
      if (!release) throw new CliError(unpublished, { code: 'not_found' });
      return { release, path, ...(await explainPage({ db, objects: openObjects() }, site.id, release, path)) };
    },
  };
}
