import type { Db } from '../../core/db.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type EventRow, insertEvents, selectSubscribers } from './events-sql.ts';
import type { EventType } from './schema.ts';

const maxRows = 1000;

/** The text that is signed and sent (Standard Webhooks: type, timestamp, data). */
export function toPayload(type: EventRow['type'], data: object): string {
  return JSON.stringify({ type, timestamp: formatTimestamp(new Date()), data });
}

/**
 * Records that something happened to a site, for each endpoint that wants to know. Belongs in the transaction in which it
 * happens: then it is told if and only if it happened. `describe` is asked only when somebody listens, for one object for each
 * event; the site is added to it. The sweeper wakes whoever sends.
 */
export async function recordEvents(
  tx: Db,
  siteId: string,
  type: EventType,
  describe: () => readonly object[] | Promise<readonly object[]>,
): Promise<void> {
  const subscribers = await selectSubscribers(tx, siteId, type);
  const [first] = subscribers;
  if (!first) return;
  const site = { id: siteId, slug: first.site_slug };
  const payloads = (await describe()).map((data) => toPayload(type, { site, ...data }));
  const target = { siteId, type, endpointIds: subscribers.map(({ id }) => id) };
  for (let from = 0; from < payloads.length; from += maxRows) {
    await insertEvents(tx, target, payloads.slice(from, from + maxRows));
  }
}

const maxErrorLength = 500;

/** An error's text for an event: payloads are thin. */
export function shortError(text: string | null): string | null {
  return text !== null && text.length > maxErrorLength ? `${text.slice(0, maxErrorLength).toWellFormed()}…` : text;
}
