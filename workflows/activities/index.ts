import type { CallHandlers } from '../contracts/runtime.ts';
import { createBackupOperationActivities } from './backup-operation.ts';
import { createClientDocumentActivities } from './client-document.ts';
import type { ActivityDeps } from './deps.ts';
import { createEndpointActivities } from './endpoint.ts';
import { createFactCheckActivities } from './fact-check.ts';
import { createIntegrationActivities } from './integration.ts';
import { createMediaActivities } from './media.ts';
import { createPreviewActivities } from './previews.ts';
import { createSiteActivities } from './site.ts';

/** Creates the handler of every call that actors may start: one line per file. */
export function createActivities(deps: ActivityDeps): CallHandlers {
  return {
    ...createSiteActivities(deps),
    ...createMediaActivities(deps),
    ...createFactCheckActivities(deps),
    ...createPreviewActivities(deps),
    ...createBackupOperationActivities(deps),
    ...createClientDocumentActivities(deps),
    ...createIntegrationActivities(deps),
    ...createEndpointActivities(deps),
  };
}
