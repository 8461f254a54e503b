import type { ActorRuntime } from '../contracts/runtime.ts';
import { actorLingerMs, actorRestMs } from '../policies/index.ts';

/**
 * Runs the actor of an event endpoint: sends its events in batches, sleeps until the next attempt is due or it is
 * woken, and ends when no event waits. SQL holds the outbox and its state; a wake carries nothing.
 */
export async function endpointActor(runtime: ActorRuntime, endpointId: string): Promise<void> {
  for (;;) {
    runtime.woken = false;
    const plan = await runtime.call('sendEvents', endpointId);
    if (plan.do === 'sleep') await runtime.wait(() => runtime.woken, Math.min(plan.ms, actorRestMs));
    // events come in bursts
    if (plan.do === 'idle' && !(await runtime.wait(() => runtime.woken, actorLingerMs))) return;
    // the next run reads SQL first, so no wake of this one can be lost
    if (runtime.shouldContinueAsNew()) await runtime.continueAsNew();
  }
}
