import { CancelledFailure } from '@temporalio/activity';
import { planSite } from '../../services/features/publishing/plan.ts';
import { settleSite } from '../../services/features/webhooks/service.ts';
import type { SiteActivities } from '../contracts/site-actor.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';

/** What the site actor calls; see the contract. */
export function createSiteActivities({ app, builder }: ActivityDeps): SiteActivities {
  return {
    planSite: (siteId) => planSite(app, siteId),
    buildSite: (order) =>
      beating(async ({ cancellationSignal, info }) => {
        const outcome = await builder.build(order, { signal: cancellationSignal, attempt: info.attempt });
        if (outcome.result === 'cancelled') throw new CancelledFailure('another build takes its place');
        if (outcome.result !== 'nothing') await settleSite(app, order.siteId);
        return { result: outcome.result };
      }),
  };
}
