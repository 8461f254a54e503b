import { settleSite } from '../../services/features/inbound/index.ts';
import { planSite } from '../../services/features/publishing/index.ts';
import { CallCancelled, type CallHandlers } from '../contracts/runtime.ts';
import type { ActivityDeps } from './deps.ts';

/** Creates the calls of the site actor; see the contract. */
export function createSiteActivities({ app, builder }: ActivityDeps): Pick<CallHandlers, 'planSite' | 'buildSite'> {
  return {
    planSite: (siteId) => planSite(app, siteId),
    async buildSite(input, context) {
      const outcome = await builder.build(input, context).finally(() => app.actors.tellJobsEnded?.());
      if (outcome.result === 'cancelled') throw new CallCancelled('another build replaces it');
      if (outcome.result !== 'nothing') await settleSite(app, input.siteId);
      return { result: outcome.result };
    },
  };
}
