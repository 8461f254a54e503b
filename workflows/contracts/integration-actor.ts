/** Names and payloads of the integration actor. Imports nothing. */

export const integrationActorType = 'integrationActor';

/** Identifies the only actor of an integration: it processes the integration's inbox in SQL. */
export function integrationActor(integrationId: string): { type: string; id: string; args: [string] } {
  return { type: integrationActorType, id: `integration:${integrationId}`, args: [integrationId] };
}

/** What the actor does next, after one look at the inbox. */
export type InboxPlan =
  /** More deliveries are already due. */
  | { do: 'continue' }
  | { do: 'sleep'; ms: number }
  | { do: 'idle' }
  /** The integration was deleted. */
  | { do: 'end' };

export interface IntegrationActivities {
  /** Maps due deliveries for a limited time and returns what to do next. Fails only when an engine is unavailable. */
  workInbox(integrationId: string): Promise<InboxPlan>;
}
