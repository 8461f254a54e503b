/**
 * Names and payloads of the site actor. Imports nothing: the gateway, the worker and the deterministic definitions all
 * import it. Payloads are references, never content (design: idea 2).
 */

export const siteActorType = 'siteActor';

/** The only signal of every actor: read SQL. It carries nothing, because SQL is the truth. */
export const wakeSignal = 'wake';

/** Returns the id of the only actor of a site. */
export function siteActorId(siteId: string): string {
  return `site:${siteId}`;
}

/**
 * The release that a build makes: the live one (requested, scheduled, by webhook), or the preview of stored shell
 * edits.
 */
export type BuildTarget = 'live' | 'preview';

/** What to build, and on which queue. */
export interface BuildKind {
  target: BuildTarget;
  /**
   * Set when an earlier build of the site may have crashed its worker: it runs on the queue for such builds, apart from
   * others.
   */
  alone?: true;
}

/** What the actor does next, as SQL says. */
export type SitePlan =
  | ({ do: 'build' } & BuildKind)
  | { do: 'sleep'; ms: number }
  /** Nothing waits and nothing is scheduled. */
  | { do: 'idle' }
  /** The site was deleted. */
  | { do: 'end' };

export interface BuildInput extends BuildKind {
  siteId: string;
}

export interface BuildOutcome {
  /** `lost`: another swap came first, the build timed out or it must run apart from others; the actor plans again. */
  result: 'succeeded' | 'failed' | 'lost' | 'nothing';
}

/** The calls of the site actor. */
export interface SiteActivities {
  /** Returns what to do next, as SQL says; due items are published here. */
  planSite(siteId: string): Promise<SitePlan>;
  /** Builds and swaps. Fails only when an engine is unavailable; when cancelled, it returns its jobs to the queue. */
  buildSite(input: BuildInput): Promise<BuildOutcome>;
}
