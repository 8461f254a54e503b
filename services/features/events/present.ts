import { formatTimestamp, timestampOrNull } from '../../core/timestamp.ts';
import type { EndpointRow } from './endpoints-sql.ts';
import type { EventRow } from './events-sql.ts';

/** Returns the record of an endpoint, without its secret. */
export function presentEndpoint(row: EndpointRow) {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    failing_since: timestampOrNull(row.failing_since),
    disabled_at: timestampOrNull(row.disabled_at),
    disabled_reason: row.disabled_reason,
    created_at: formatTimestamp(row.created_at),
  };
}

/** Returns the record of an event with every attempt to send it. */
export function presentEvent(row: EventRow) {
  return {
    id: row.id,
    endpoint: row.endpoint_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.status === 'failed' ? timestampOrNull(row.due_at) : null,
    created_at: formatTimestamp(row.created_at),
    finished_at: timestampOrNull(row.finished_at),
    payload: row.payload === null ? null : (JSON.parse(row.payload) as Record<string, unknown>),
    error: row.error,
    log: row.log.map((entry) => ({ ...entry, at: formatTimestamp(new Date(entry.at)) })),
  };
}

export type EventRecord = ReturnType<typeof presentEvent>;
