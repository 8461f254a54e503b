import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type IntegrationActivities, inboxTaskQueue } from '../contracts/integration-actor.ts';
import { wakeSignal } from '../contracts/site-actor.ts';
import { actorMaxEvents, actorRestMs, turnPolicy } from '../policies/index.ts';

const { workInbox } = proxyActivities<IntegrationActivities>({ ...turnPolicy, taskQueue: inboxTaskQueue });

const wake = defineSignal(wakeSignal);

/**
 * The actor of an integration: maps its deliveries batch by batch and sleeps until the next attempt is due or it is woken.
 * SQL holds the inbox and all that is known of it; a signal says nothing but "look", so losing or repeating one does no harm.
 */
export async function integrationActor(integrationId: string): Promise<void> {
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const plan = await workInbox(integrationId);
    if (plan.do === 'end' && !woken) return;
    if (plan.do === 'sleep') await condition(() => woken, Math.min(plan.ms, actorRestMs));
    if (plan.do === 'idle') await condition(() => woken);
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    // the next run looks into SQL first of all, so no signal of this one can be lost
    if (historyLength > actorMaxEvents || continueAsNewSuggested)
      await continueAsNew<typeof integrationActor>(integrationId);
  }
}
