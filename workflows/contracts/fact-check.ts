/**
 * Names and payloads of the fact check, which the gateway awaits because it never fetches from outside. Imports
 * nothing.
 */

export const factCheckType = 'factCheck';
/** The check's own limit is well below this. */
export const factCheckTimeoutMs = 75_000;

export interface FactCheckInput {
  siteId: string;
  contentId: string;
}

export interface FactCheckActivities {
  /** Returns the report as JSON text. Fails with `not_found` when the item was deleted. */
  checkFacts(input: FactCheckInput): Promise<string>;
}
