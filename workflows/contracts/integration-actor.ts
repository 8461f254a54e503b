/** Names and payloads of the integration actor. Imports nothing. */

export const integrationActorType = 'integrationActor';

/** The one actor of an integration: it works through the integration's inbox in SQL. */
export function integrationActor(integrationId: string): { type: string; id: string; args: [string] } {
  return { type: integrationActorType, id: `integration:${integrationId}`, args: [integrationId] };
}

/** What the actor is to do after a look into the inbox. */
export type InboxPlan =
  /** More is due already. */
  | { do: 'continue' }
  | { do: 'sleep'; ms: number }
  | { do: 'idle' }
  /** The integration has been deleted. */
  | { do: 'end' };

export interface IntegrationActivities {
  /** Maps what is due, for a bounded time, and says what comes next. Fails only when an engine is away. */
  workInbox(integrationId: string): Promise<InboxPlan>;
}
