import { Problem } from '../../services/core/errors.ts';
import { toFailure } from '../../services/engines/temporal/client.ts';
import { fetchFile } from '../../services/features/media/import.ts';
import { processMedia } from '../../services/features/media/process/process.ts';
import { selectTask, selectTasks } from '../../services/features/media/process/sql.ts';
import { selectSiteAwaiting } from '../../services/features/publishing/service.ts';
import type { MediaActivities } from '../contracts/media.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';

const watchMs = 5000;

/** What the media actor calls; see the contract. */
export function createMediaActivities({ app, fetcher, images, ffmpeg }: ActivityDeps): MediaActivities {
  return {
    planMedia: (siteId) => selectTasks(app.db, siteId),
    processMedia: (task) =>
      beating(async (context) => {
        const purged = new AbortController();
        const watch = setInterval(async () => {
          const row = await selectTask(app.db, task).catch(() => null); // an engine that is away purges nothing
          if (row === undefined) purged.abort(new Error('The item is gone.'));
        }, watchMs);
        const signal = AbortSignal.any([context.cancellationSignal, purged.signal]);
        try {
          await processMedia({ app, images, ffmpeg }, task, { signal, number: context.info.attempt });
          const awaiting = await selectSiteAwaiting(app.db, task.id);
          if (awaiting) app.temporal.wakeSite(awaiting);
        } catch (error) {
          if (!purged.signal.aborted) throw error;
        } finally {
          clearInterval(watch);
        }
      }),
    fetchMedia: ({ url }) =>
      beating(async (context) => {
        try {
          return await fetchFile({ app, fetcher }, url, context.cancellationSignal);
        } catch (error) {
          throw error instanceof Problem && error.status < 500 ? toFailure(error) : error;
        }
      }),
  };
}
