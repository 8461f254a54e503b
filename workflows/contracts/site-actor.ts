/**
 * Names and payloads of the site actor. Imports nothing: the gateway, the worker and the deterministic definitions all
 * read it. Payloads are references, never content (design: idea 2).
 */

export const siteActorType = 'siteActor';

/** The one signal of every actor: look into SQL. It carries nothing, since SQL is the truth. */
export const wakeSignal = 'wake';

/** The one actor of a site. */
export function siteActorId(siteId: string): string {
  return `site:${siteId}`;
}

/** Which release a build makes: the live one (asked for, scheduled, by webhook), or the preview of stored shell edits. */
export type BuildTarget = 'live' | 'preview';

/** What is to be built, and where. */
export interface BuildKind {
  target: BuildTarget;
  /** An earlier build of the site may have ended its worker: this one has to run apart from others of which that is known. */
  alone?: true;
}

/** What the actor is to do now, as SQL says. */
export type SitePlan =
  | ({ do: 'build' } & BuildKind)
  | { do: 'sleep'; ms: number }
  /** Nothing waits and nothing is scheduled. */
  | { do: 'idle' }
  /** The site has been deleted. */
  | { do: 'end' };

export interface BuildOrder extends BuildKind {
  siteId: string;
}

export interface BuildOutcome {
  /** `lost`: another swap came first, its time was over or it has to run apart from others: the plan is asked again. */
  result: 'succeeded' | 'failed' | 'lost' | 'nothing';
}

/** What the site actor calls. */
export interface SiteActivities {
  /** What is to be done now, as SQL says; items that are due become published here. */
  planSite(siteId: string): Promise<SitePlan>;
  /** Builds and swaps. Fails only when an engine is away; cancelled, it gives its jobs back. */
  buildSite(order: BuildOrder): Promise<BuildOutcome>;
}
