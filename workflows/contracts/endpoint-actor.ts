/** Names and payloads of the endpoint actor. Imports nothing. */

export const endpointActorType = 'endpointActor';

/**
 * Identifies the only actor of an endpoint: it sends the endpoint's events from SQL, so that a slow endpoint does not
 * delay others.
 */
export function endpointActor(endpointId: string): { type: string; id: string; args: [string] } {
  return { type: endpointActorType, id: `endpoint:${endpointId}`, args: [endpointId] };
}

/** What the actor does next, after one look at the outbox. */
export type OutboxPlan =
  /** More events are already due. */
  | { do: 'continue' }
  | { do: 'sleep'; ms: number }
  /** Nothing waits, or the endpoint was deleted. */
  | { do: 'idle' };

export interface EndpointActivities {
  /** Sends due events for a limited time and returns what to do next. Fails only when an engine is unavailable. */
  sendEvents(endpointId: string): Promise<OutboxPlan>;
}
