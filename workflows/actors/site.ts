import { type ActorRuntime, CallCancelled } from '../contracts/runtime.ts';
import type { BuildKind, SitePlan } from '../contracts/site-actor.ts';
import { actorRestMs } from '../policies/index.ts';

/**
 * Runs the actor of a site (design: idea 2): reads from SQL what to do, does it, and sleeps until it is woken or
 * something is due. It runs one build at a time; jobs that arrive during a build are served by the next one. A wake
 * carries nothing, so losing or repeating one does no harm.
 */
export async function siteActor(runtime: ActorRuntime, siteId: string): Promise<void> {
  /** Runs a build. Cancels a preview build when a live release is requested meanwhile. */
  async function build({ target, alone }: BuildKind): Promise<void> {
    let finished = false;
    const call = runtime.start('buildSite', { siteId, target, ...(alone ? { alone } : {}) });
    const running = call.result.finally(() => {
      finished = true;
    });
    running.catch(() => undefined); // awaited below, possibly after other awaits
    while (target === 'preview' && !finished) {
      await runtime.wait(() => runtime.woken || finished);
      if (finished) break;
      runtime.woken = false;
      const next = await runtime.call('planSite', siteId);
      if (next.do === 'build' && next.target === 'live' && !finished) call.cancel();
    }
    try {
      await running;
    } catch (error) {
      if (!(error instanceof CallCancelled)) throw error;
    }
  }

  async function follow(plan: SitePlan): Promise<void> {
    if (plan.do === 'build') await build(plan);
    else if (plan.do === 'sleep') await runtime.wait(() => runtime.woken, Math.min(plan.ms, actorRestMs));
    else await runtime.wait(() => runtime.woken);
  }

  for (;;) {
    runtime.woken = false;
    const plan = await runtime.call('planSite', siteId);
    if (plan.do === 'end' && !runtime.woken) return;
    if (!runtime.woken || plan.do === 'build') await follow(plan);
    // the next run reads SQL first, so no wake of this one can be lost
    if (runtime.shouldContinueAsNew()) await runtime.continueAsNew();
  }
}
