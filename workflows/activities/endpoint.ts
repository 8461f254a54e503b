import { createOutbox } from '../../services/features/events/index.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import type { ActivityDeps } from './deps.ts';

/** Creates the calls of the event endpoint actor; see the contract. */
export function createEndpointActivities({ app, fetcher }: ActivityDeps): Pick<CallHandlers, 'sendEvents'> {
  const outbox = createOutbox({ app, fetcher });
  return { sendEvents: (endpointId, { signal }) => outbox.work(endpointId, signal) };
}
