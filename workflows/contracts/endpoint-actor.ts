/** Names and payloads of the endpoint actor. Imports nothing. */

export const endpointActorType = 'endpointActor';

/** The one actor of an endpoint: it sends the endpoint's events from SQL, so that a slow endpoint holds up no other. */
export function endpointActor(endpointId: string): { type: string; id: string; args: [string] } {
  return { type: endpointActorType, id: `endpoint:${endpointId}`, args: [endpointId] };
}

/** What the actor is to do after a look into the outbox. */
export type OutboxPlan =
  /** More is due already. */
  | { do: 'continue' }
  | { do: 'sleep'; ms: number }
  /** Nothing waits, or the endpoint has been deleted. */
  | { do: 'idle' };

export interface EndpointActivities {
  /** Sends what is due, for a bounded time, and says what comes next. Fails only when an engine is away. */
  sendEvents(endpointId: string): Promise<OutboxPlan>;
}
