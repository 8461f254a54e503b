import type { Db, SqlValue } from '../../core/db.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';
import type { AnyEventType, EventType } from './catalogue.ts';
import type { EventListQuery, EventStatus } from './schema.ts';

/** One attempt. */
export interface LogEntry {
  /** ISO 8601 with milliseconds. */
  at: string;
  duration_ms: number;
  /** The status of the response, if there was one. */
  status: number | null;
  error: string | null;
}

export interface EventRow {
  id: string;
  endpoint_id: string;
  site_id: string;
  type: AnyEventType;
  payload: string | null;
  status: EventStatus;
  attempts: number;
  /** When it is to be sent; null when it has ended. */
  due_at: Date | null;
  log: LogEntry[];
  error: string | null;
  created_at: Date;
  finished_at: Date | null;
  purged_at: Date | null;
}

const columns = `id, endpoint_id, site_id, type, payload, status, attempts, due_at, log, error, created_at, finished_at, purged_at`;

export interface Subscriber {
  id: string;
  events: EventType[];
  site_slug: string;
}

/** Returns the enabled endpoints of a site. */
export async function selectSubscribers(db: Db, siteId: string): Promise<Subscriber[]> {
  return db.query<Subscriber>(
    `SELECT e.id, e.events, s.slug AS site_slug FROM event_endpoints e JOIN sites s ON s.id = e.site_id
     WHERE e.site_id = $1 AND e.enabled`,
    [siteId],
  );
}

/** Inserts one event for each payload and endpoint. */
export async function insertEvents(
  db: Db,
  { siteId, type, endpointIds }: { siteId: string; type: EventRow['type']; endpointIds: readonly string[] },
  payloads: readonly string[],
): Promise<EventRow[]> {
  return db.query<EventRow>(
    `INSERT INTO events (site_id, endpoint_id, type, payload, status, due_at, log)
     SELECT $1::UUID, e.id, $2::TEXT, p.payload, 'queued', now(), '[]'::JSONB
     FROM unnest($3::UUID[]) AS e (id) CROSS JOIN unnest($4::TEXT[]) AS p (payload)
     RETURNING ${columns}`,
    [siteId, type, endpointIds as SqlValue, payloads as SqlValue],
  );
}

/** Returns events, newest first. */
export function selectEvents(db: Db, siteId: string | null, query: EventListQuery) {
  const source: LargeListSource = {
    columns,
    table: 'events',
    scope: '($1::UUID IS NULL OR site_id = $1::UUID)',
    scopeParams: [siteId],
    filter: `AND ($2::UUID IS NULL OR endpoint_id = $2::UUID) AND ($3::TEXT IS NULL OR type = $3::TEXT)
      AND ($4::TEXT IS NULL OR status = $4::TEXT) AND ($5::TIMESTAMPTZ IS NULL OR created_at >= $5::TIMESTAMPTZ)`,
    filterParams: [query.endpoint ?? null, query.type ?? null, query.status ?? null, query.since ?? null],
    order: 'created_at DESC, id DESC',
    key: { column: 'id', type: 'UUID' },
    bytes: 'COALESCE(octet_length(payload), 0) + octet_length(log::TEXT) + COALESCE(octet_length(error), 0)',
  };
  return selectLargePage<EventRow>(db, source, query);
}

/** Returns an event; `siteId` null: of any site. */
export async function selectEvent(db: Db, siteId: string | null, id: string): Promise<EventRow | undefined> {
  const sql = `SELECT ${columns} FROM events WHERE id = $1 AND ($2::UUID IS NULL OR site_id = $2::UUID)`;
  return (await db.query<EventRow>(sql, [id, siteId]))[0];
}

/** Queues an event again and keeps the log of its attempts; a run that is still sending it has lost its claim. */
export async function requeueEvent(db: Db, id: string): Promise<EventRow | undefined> {
  const rows = await db.query<EventRow>(
    `UPDATE events SET status = 'queued', attempts = 0, due_at = now(), claim = NULL, error = NULL, finished_at = NULL
     WHERE id = $1 AND purged_at IS NULL RETURNING ${columns}`,
    [id],
  );
  return rows[0];
}

/** Ends all waiting events of a disabled endpoint. */
export async function endWaiting(db: Db, endpointId: string, error: string): Promise<void> {
  await db.query(
    `UPDATE events SET status = 'failed', error = $2, due_at = NULL, claim = NULL, finished_at = now()
     WHERE endpoint_id = $1 AND due_at IS NOT NULL`,
    [endpointId, error],
  );
}

const purgeBatch = 500;

/**
 * Deletes the payloads of events that ended longer ago than the retention period (the setting of inbound deliveries);
 * keeps the records. Returns their number.
 */
export async function purgeEvents(db: Db, { deliveryDays }: { deliveryDays: number }): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query(
      `UPDATE events SET payload = NULL, purged_at = now()
       WHERE id IN (
         SELECT id FROM events
         WHERE purged_at IS NULL AND finished_at IS NOT NULL AND finished_at < now() - $1::INT8 * INTERVAL '1 day'
         ORDER BY finished_at LIMIT $2)
         AND finished_at IS NOT NULL
       RETURNING id`,
      [deliveryDays, purgeBatch],
    );
    purged += rows.length;
    if (rows.length < purgeBatch) return purged;
  }
}
