import type { Db } from '../../core/db.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { AnyEventType, EventData, EventType } from './catalogue.ts';
import { insertEvents, type Subscriber, selectSubscribers } from './events-sql.ts';

const maxRows = 1000;

/** Returns the text that is signed and sent (Standard Webhooks: type, timestamp, data). */
export function toPayload(type: AnyEventType, data: object): string {
  return JSON.stringify({ type, timestamp: formatTimestamp(new Date()), data });
}

/** The events to record, by type: each function returns the `data` of each event, without the site. */
export type EventsByType = {
  [Type in EventType]?: () => readonly EventData<Type>[] | Promise<readonly EventData<Type>[]>;
};

async function insertForAll(
  tx: Db,
  siteId: string,
  type: EventType,
  subscribers: readonly Subscriber[],
  events: readonly object[],
): Promise<void> {
  const site = { id: siteId, slug: subscribers[0]!.site_slug };
  const payloads = events.map((data) => toPayload(type, { site, ...data }));
  const target = { siteId, type, endpointIds: subscribers.map(({ id }) => id) };
  for (let from = 0; from < payloads.length; from += maxRows) {
    await insertEvents(tx, target, payloads.slice(from, from + maxRows));
  }
}

/**
 * Records events of a site for each endpoint that subscribes to them. Call it in the transaction that makes the change,
 * so that both commit or neither does. Calls the functions in `eventsByType` only for types with subscribers. The sweeper
 * wakes the actors that send.
 */
export async function recordEvents(tx: Db, siteId: string, eventsByType: EventsByType): Promise<void> {
  const subscribers = await selectSubscribers(tx, siteId);
  for (const [name, describe] of Object.entries(eventsByType)) {
    const type = name as EventType;
    const matching = subscribers.filter(({ events }) => events.includes(type));
    if (matching.length > 0) await insertForAll(tx, siteId, type, matching, await describe());
  }
}

/** Returns whether an enabled endpoint of the site subscribes to one of these types. */
export async function hasSubscribers(tx: Db, siteId: string, types: readonly EventType[]): Promise<boolean> {
  return (await selectSubscribers(tx, siteId)).some(({ events }) => events.some((type) => types.includes(type)));
}

const maxErrorLength = 500;

/** Shortens an error message for an event, whose payload should be small. */
export function shortError(text: string | null): string | null {
  return text !== null && text.length > maxErrorLength ? `${text.slice(0, maxErrorLength).toWellFormed()}…` : text;
}
