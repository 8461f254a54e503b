import { problem } from '../../services/core/errors.ts';
import { createShares } from '../../services/core/shares.ts';
import { fetchFile, selectTask, selectTasks } from '../../services/features/media/index.ts';
import { selectSiteAwaiting } from '../../services/features/publishing/index.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import { fetchShares } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

const watchMs = 5000;

const tooManyImports = () =>
  problem('unavailable', 'Too many downloads of this site are in progress; try again shortly.', {
    retryAfterSeconds: 10,
    isBusy: true,
  });

type MediaHandlers = Pick<CallHandlers, 'planMedia' | 'processMedia' | 'fetchMedia'>;

/** Creates the calls of the media actor; see the contract. */
export function createMediaActivities({ app, fetcher, processMedia, images, ffmpeg }: ActivityDeps): MediaHandlers {
  const imports = createShares({ ...fetchShares.imports, refuse: tooManyImports });
  return {
    planMedia: (siteId) => selectTasks(app.db, siteId),
    async processMedia(task, { signal, attempt }) {
      const purged = new AbortController();
      const watch = setInterval(async () => {
        // null: a failed query does not mean that the item was purged
        const row = await selectTask(app.db, task).catch(() => null);
        if (row === undefined) purged.abort(new Error('The item was purged.'));
      }, watchMs);
      const either = AbortSignal.any([signal, purged.signal]);
      try {
        await processMedia({ app, images, ffmpeg }, task, { signal: either, number: attempt });
        const awaiting = await selectSiteAwaiting(app.db, task.id);
        if (awaiting) app.actors.wakeSite(awaiting);
      } catch (error) {
        if (!purged.signal.aborted) throw error;
      } finally {
        clearInterval(watch);
      }
    },
    fetchMedia: ({ url, siteId = '' }, { signal }) =>
      imports.pass(siteId, signal, () => fetchFile({ app, fetcher }, url, signal)),
  };
}
