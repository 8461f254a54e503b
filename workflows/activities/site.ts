import { CancelledFailure, Context } from '@temporalio/activity';
import { planSite } from '../../services/features/publishing/plan.ts';
import { settleSite } from '../../services/features/webhooks/service.ts';
import type { SiteActivities } from '../contracts/activities.ts';
import { heartbeatMs } from '../policies/index.ts';
import type { ActivityDeps } from './deps.ts';

/** What the site actor calls; see the contract. */
export function createSiteActivities({ app, builder }: ActivityDeps): SiteActivities {
  return {
    planSite: (siteId) => planSite(app, siteId),
    async buildSite(order) {
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), heartbeatMs);
      try {
        const outcome = await builder.build(order, {
          signal: context.cancellationSignal,
          attempt: context.info.attempt,
        });
        if (outcome.result === 'cancelled') throw new CancelledFailure('another build takes its place');
        if (outcome.result !== 'nothing') await settleSite(app, order.siteId);
        return { result: outcome.result };
      } finally {
        clearInterval(beat);
      }
    },
  };
}
