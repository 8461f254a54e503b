import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type EndpointActivities, outboxTaskQueue } from '../contracts/endpoint-actor.ts';
import { wakeSignal } from '../contracts/site-actor.ts';
import { actorMaxEvents, actorRestMs, turnPolicy } from '../policies/index.ts';

const { sendEvents } = proxyActivities<EndpointActivities>({ ...turnPolicy, taskQueue: outboxTaskQueue });

const wake = defineSignal(wakeSignal);

/** An actor that has nothing to do stays a while: events come in bursts. */
const lingerMs = 20_000;

/**
 * The actor of an endpoint: sends its events bundle by bundle, sleeps until the next attempt is due or it is woken, and ends when
 * nothing waits. SQL holds the outbox and all that is known of it; a signal says nothing but "look".
 */
export async function endpointActor(endpointId: string): Promise<void> {
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  for (;;) {
    woken = false;
    const plan = await sendEvents(endpointId);
    if (plan.do === 'sleep') await condition(() => woken, Math.min(plan.ms, actorRestMs));
    if (plan.do === 'idle' && !(await condition(() => woken, lingerMs))) return;
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    // the next run looks into SQL first of all, so no signal of this one can be lost
    if (historyLength > actorMaxEvents || continueAsNewSuggested) await continueAsNew<typeof endpointActor>(endpointId);
  }
}
