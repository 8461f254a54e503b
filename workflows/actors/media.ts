import type { FetchedFile, MediaFetchOrder } from '../contracts/media.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';
import { actorLingerMs } from '../policies/index.ts';

/** Number of items of one site that are processed at once; the workers' own limit bounds the total. */
const tasksAtOnce = 4;

/**
 * The actor of a site's media library: processes what SQL lists as waiting, several items at a time, and ends when nothing waits.
 * An item that cannot be processed is recorded as failed by its call, so no task stops the others.
 */
export async function mediaActor(runtime: ActorRuntime, siteId: string): Promise<void> {
  let finished = 0;
  const running = new Set<string>();

  for (;;) {
    runtime.woken = false;
    finished = 0;
    const closing = runtime.shouldContinueAsNew();
    if (closing && running.size === 0) await runtime.continueAsNew();
    const tasks = closing ? [] : await runtime.call('planMedia', siteId);
    for (const task of tasks) {
      if (running.size >= tasksAtOnce) break;
      if (running.has(task.id)) continue;
      running.add(task.id);
      const done = () => {
        running.delete(task.id);
        finished++;
      };
      runtime.call('processMedia', task).then(done, done);
    }
    if (running.size > 0) await runtime.wait(() => finished > 0 || (runtime.woken && !closing));
    // uploads come in bursts
    else if (!(await runtime.wait(() => runtime.woken, actorLingerMs))) return;
  }
}

/** Fetches one URL into the object store, for a request that waits for it. */
export async function mediaFetch(runtime: ActorRuntime, order: MediaFetchOrder): Promise<FetchedFile> {
  return runtime.call('fetchMedia', order);
}
