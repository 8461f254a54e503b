import type { FetchedFile, MediaFetchInput } from '../contracts/media.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';
import { actorLingerMs } from '../policies/index.ts';

/** Number of items of one site that are processed concurrently; the workers' own limit bounds the total. */
const tasksAtOnce = 4;

/**
 * Runs the actor of a site's media library: processes the waiting items in SQL, several concurrently, and ends when
 * nothing waits. A call records an item that cannot be processed as failed, so no task stops the others.
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

/** Fetches one URL into the object store for a waiting request. */
export async function mediaFetch(runtime: ActorRuntime, input: MediaFetchInput): Promise<FetchedFile> {
  return runtime.call('fetchMedia', input);
}
