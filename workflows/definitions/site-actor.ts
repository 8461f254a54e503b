import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type SiteActivities, type SitePlan, wakeSignal } from '../contracts/site-actor.ts';
import { actorMaxEvents, actorRestMs, askPolicy, buildPolicy } from '../policies/index.ts';

const { planSite } = proxyLocalActivities<SiteActivities>(askPolicy);
const { buildSite } = proxyActivities<SiteActivities>({
  ...buildPolicy,
  // a cancelled build may be slow to notice: the next one need not wait, since only the newest may swap
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});

const wake = defineSignal(wakeSignal);

/**
 * The actor of a site (design: idea 2): asks SQL what is to be done, does it, and sleeps until it is woken or something
 * falls due. One build at a time; what arrives meanwhile is served by the next one. A signal says nothing but "look", so
 * losing or repeating one does no harm.
 */
export async function siteActor(siteId: string): Promise<void> {
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });

  /** Builds; a preview makes room when a live release is asked for meanwhile. */
  async function build(target: 'live' | 'preview'): Promise<void> {
    let finished = false;
    const scope = new CancellationScope();
    const running = scope
      .run(() => buildSite({ siteId, target }))
      .finally(() => {
        finished = true;
      });
    running.catch(() => undefined); // awaited below, possibly after other awaits
    while (target === 'preview' && !finished) {
      await condition(() => woken || finished);
      if (finished) break;
      woken = false;
      const meanwhile = await planSite(siteId);
      if (meanwhile.do === 'build' && meanwhile.target === 'live' && !finished) scope.cancel();
    }
    try {
      await running;
    } catch (error) {
      if (!isCancellation(error)) throw error;
    }
  }

  async function follow(plan: SitePlan): Promise<void> {
    if (plan.do === 'build') await build(plan.target);
    else if (plan.do === 'sleep') await condition(() => woken, Math.min(plan.ms, actorRestMs));
    else await condition(() => woken);
  }

  for (;;) {
    woken = false;
    const plan = await planSite(siteId);
    if (plan.do === 'end' && !woken) return;
    if (!woken || plan.do === 'build') await follow(plan);
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    // the next run asks SQL first of all, so no signal of this one can be lost
    if (historyLength > actorMaxEvents || continueAsNewSuggested) await continueAsNew<typeof siteActor>(siteId);
  }
}
