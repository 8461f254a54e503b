import type { Db } from '../../core/db.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type EventRow, insertEvents, selectSubscribers } from './events-sql.ts';
import type { EventType } from './schema.ts';

const maxRows = 1000;

/** Returns the text that is signed and sent (Standard Webhooks: type, timestamp, data). */
export function toPayload(type: EventRow['type'], data: object): string {
  return JSON.stringify({ type, timestamp: formatTimestamp(new Date()), data });
}

/**
 * Records an event of a site, for each endpoint that subscribes to it. Requires the transaction of the change itself,
 * so that the event is recorded if and only if the change is committed. Calls `describe` only if there are subscribers;
 * it returns one object for each event, to which the site is added. The sweeper wakes the senders.
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

/** Shortens an error's text for an event, since payloads are small. */
export function shortError(text: string | null): string | null {
  return text !== null && text.length > maxErrorLength ? `${text.slice(0, maxErrorLength).toWellFormed()}…` : text;
}
