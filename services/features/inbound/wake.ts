import { AsyncLocalStorage } from 'node:async_hooks';
import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';

/**
 * Minimum interval between wakes of an actor in a burst of deliveries; a signal costs the engine as much as mapping a
 * delivery.
 */
const minGapMs = 250;

/**
 * Creates a function that wakes an integration's actor: immediately, then once for all calls within the next
 * `minGapMs`. Call it after the commit; the sweeper repeats a lost wake.
 */
export function createInboxWaker(actors: Pick<ActorClient, 'wakeActor'>) {
  const resting = new Map<string, { again: (<T>(work: () => T) => T) | null }>();

  return function wakeInbox(integrationId: string): void {
    const rest = resting.get(integrationId);
    if (rest) {
      rest.again = AsyncLocalStorage.snapshot();
      return;
    }
    const state: { again: (<T>(work: () => T) => T) | null } = { again: null };
    resting.set(integrationId, state);
    actors.wakeActor(integrationActor(integrationId));
    setTimeout(() => {
      resting.delete(integrationId);
      state.again?.(() => wakeInbox(integrationId));
    }, minGapMs).unref();
  };
}
