import type { ActorRuntime } from '../contracts/runtime.ts';
import { actorRestMs } from '../policies/index.ts';

/**
 * Runs the actor of an integration: maps its deliveries in batches and sleeps until the next attempt is due or it is
 * woken. SQL holds the inbox and its state; a wake carries nothing, so losing or repeating one does no harm.
 */
export async function integrationActor(runtime: ActorRuntime, integrationId: string): Promise<void> {
  for (;;) {
    runtime.woken = false;
    const plan = await runtime.call('workInbox', integrationId);
    if (plan.do === 'end' && !runtime.woken) return;
    if (plan.do === 'sleep') await runtime.wait(() => runtime.woken, Math.min(plan.ms, actorRestMs));
    if (plan.do === 'idle') await runtime.wait(() => runtime.woken);
    // the next run reads SQL first, so no wake of this one can be lost
    if (runtime.shouldContinueAsNew()) await runtime.continueAsNew();
  }
}
