import { AsyncLocalStorage } from 'node:async_hooks';
import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';

/** A burst of deliveries wakes an actor this often at most; every signal costs the engine as much as mapping a delivery. */
const minGapMs = 250;

/**
 * Wakes integrations' actors: at once, and what comes within a quarter of a second after that together at its end. Call it
 * after the commit; a lost wake is made good by the sweeper.
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
