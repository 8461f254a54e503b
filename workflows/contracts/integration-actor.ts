/** Names and payloads of the integration actor; imports nothing. */

export const integrationActorType = 'integrationActor';

/** The one actor of an integration: it works through the integration's inbox in SQL. */
export function integrationActorId(integrationId: string): string {
  return `integration:${integrationId}`;
}

/** What the actor is to do after a look into the inbox. */
export type InboxPlan =
  /** More is due already. */
  | { do: 'continue' }
  | { do: 'sleep'; ms: number }
  | { do: 'idle' }
  /** The integration has been deleted. */
  | { do: 'end' };

/** What the integration actor calls. */
export interface IntegrationActivities {
  /** Maps what is due, within a bounded time, and says what comes next. */
  workInbox(integrationId: string): Promise<InboxPlan>;
}
