import type { BuildOrder, BuildOutcome, SitePlan } from './site-actor.ts';

/** What the site actor calls. */
export interface SiteActivities {
  /** What is to be done now, as SQL says; items that are due become published here. */
  planSite(siteId: string): Promise<SitePlan>;
  /** Builds and swaps. Fails only when an engine is away; cancelled, it gives its jobs back. */
  buildSite(order: BuildOrder): Promise<BuildOutcome>;
}
