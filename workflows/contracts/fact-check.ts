/** Names and payloads of the fact check, which the gateway awaits because it has no way out itself. Imports nothing. */

export const factCheckType = 'factCheck';
/** The check itself is bounded well below this. */
export const factCheckTimeoutMs = 75_000;

export interface FactCheckOrder {
  siteId: string;
  contentId: string;
}

export interface FactCheckActivities {
  /** Answers the report as JSON text. Fails with `not_found` when the item is gone. */
  checkFacts(order: FactCheckOrder): Promise<string>;
}
