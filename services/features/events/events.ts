import type { Db } from '../../core/db.ts';
import { notFound, problem } from '../../core/errors.ts';
import { testEventType } from './catalogue.ts';
import { type EndpointRow, selectEndpointById } from './endpoints-sql.ts';
import { type EventRow, insertEvents, requeueEvent, selectEvent } from './events-sql.ts';
import { toPayload } from './record-events.ts';

/** Returns an event; `siteId` null: of any site. Throws `not_found`. */
export async function requireEvent(db: Db, siteId: string | null, id: string): Promise<EventRow> {
  const row = await selectEvent(db, siteId, id);
  if (!row) throw notFound('event');
  return row;
}

function requireEnabled(endpoint: EndpointRow | undefined): void {
  if (!endpoint?.enabled) throw problem('conflict', 'The endpoint is disabled; enable it first.');
}

/** Queues an event without content, to test the endpoint. Throws `conflict` for a disabled endpoint. */
export async function sendTestEvent(
  db: Db,
  site: { id: string; slug: string },
  endpoint: EndpointRow,
): Promise<EventRow> {
  requireEnabled(endpoint);
  const data = { site: { id: site.id, slug: site.slug }, endpoint: endpoint.id };
  const target = { siteId: site.id, type: testEventType, endpointIds: [endpoint.id] } as const;
  const [row] = await insertEvents(db, target, [toPayload(testEventType, data)]);
  return row!;
}

/**
 * Sends an event again, the same bytes under the same id, with the full retry schedule. Requires a transaction; wake
 * the endpoint's actor after it. Throws `not_found`, and `conflict` when retention has deleted the payload or the
 * endpoint is disabled.
 */
export async function replayEvent(db: Db, siteId: string | null, id: string): Promise<EventRow> {
  const row = await requireEvent(db, siteId, id);
  if (row.purged_at) throw problem('conflict', 'The payload of this event is no longer kept.');
  requireEnabled(await selectEndpointById(db, row.endpoint_id));
  const queued = await requeueEvent(db, id);
  if (!queued) throw notFound('event');
  return queued;
}
