import type { ActivityDeps } from './deps.ts';
import { createEndpointActivities } from './endpoint.ts';
import { createFactCheckActivities } from './fact-check.ts';
import { createIntegrationActivities } from './integration.ts';
import { createMediaActivities } from './media.ts';
import { createSiteActivities } from './site.ts';

/** Every activity that workflows may call: one line per file. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createSiteActivities(deps),
    ...createMediaActivities(deps),
    ...createFactCheckActivities(deps),
    ...createIntegrationActivities(deps),
    ...createEndpointActivities(deps),
  };
}
