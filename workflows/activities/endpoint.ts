import { createOutbox } from '../../services/features/events/outbox.ts';
import type { EndpointActivities } from '../contracts/endpoint-actor.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';

/** What the endpoint actor calls; see the contract. */
export function createEndpointActivities({ app, fetcher }: ActivityDeps): EndpointActivities {
  const outbox = createOutbox({ app, fetcher });
  return {
    sendEvents: (endpointId) => beating((context) => outbox.work(endpointId, context.cancellationSignal)),
  };
}
