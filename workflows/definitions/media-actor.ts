import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type FetchedFile,
  type MediaActivities,
  type MediaFetchOrder,
  type MediaTask,
  mediaTaskQueue,
  videoTaskQueue,
} from '../contracts/media.ts';
import { wakeSignal } from '../contracts/site-actor.ts';
import { actorMaxEvents, askPolicy, mediaFetchPolicy, mediaPolicy } from '../policies/index.ts';

const { planMedia } = proxyLocalActivities<MediaActivities>(askPolicy);
const imageActivities = proxyActivities<MediaActivities>({ ...mediaPolicy, taskQueue: mediaTaskQueue });
const videoActivities = proxyActivities<MediaActivities>({ ...mediaPolicy, taskQueue: videoTaskQueue });
const { fetchMedia } = proxyActivities<MediaActivities>(mediaFetchPolicy);

const wake = defineSignal(wakeSignal);

function processMedia(task: MediaTask): Promise<void> {
  return (task.work === 'video' ? videoActivities : imageActivities).processMedia(task);
}

/** How many items of one site are worked on at once; the workers' own limit bounds what runs in all. */
const tasksAtOnce = 4;
/** An actor that has nothing to do stays a while: uploads come in bursts. */
const lingerMs = 20_000;

/**
 * The actor of a site's library: works through what SQL says is waiting, several at a time, and ends when nothing is.
 * What cannot be processed has been written down as failed, so no task stops the others.
 */
export async function mediaActor(siteId: string): Promise<void> {
  let woken = false;
  let finished = 0;
  const running = new Map<string, Promise<void>>();
  setHandler(wake, () => {
    woken = true;
  });

  for (;;) {
    woken = false;
    finished = 0;
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    const closing = historyLength > actorMaxEvents || continueAsNewSuggested;
    if (closing && running.size === 0) await continueAsNew<typeof mediaActor>(siteId);
    const tasks = closing ? [] : await planMedia(siteId);
    for (const task of tasks) {
      if (running.size >= tasksAtOnce) break;
      if (running.has(task.id)) continue;
      const done = () => {
        running.delete(task.id);
        finished++;
      };
      running.set(task.id, processMedia(task).then(done, done));
    }
    if (running.size > 0) await condition(() => finished > 0 || (woken && !closing));
    else if (!(await condition(() => woken, lingerMs))) return;
  }
}

/** Fetches one URL into the object store, for a request that waits for it. */
export async function mediaFetch(order: MediaFetchOrder): Promise<FetchedFile> {
  return fetchMedia(order);
}
