import { createImageImporter, createInbox } from '../../services/features/mapping/index.ts';
import { importMedia } from '../../services/features/media/index.ts';
import type { CallHandlers } from '../contracts/runtime.ts';
import type { ActivityDeps } from './deps.ts';

/** Creates the calls of the integration actor; see the contract. */
export function createIntegrationActivities({ app, fetcher }: ActivityDeps): Pick<CallHandlers, 'workInbox'> {
  const images = createImageImporter((request, signal) => importMedia({ app, fetcher }, request, signal));
  const inbox = createInbox({ app, images });
  return { workInbox: (integrationId, { signal }) => inbox.work(integrationId, signal) };
}
