import { isUtf8 } from 'node:buffer';
import { LargeText } from '../../core/large-list.ts';
import { formatTimestamp, timestampOrNull } from '../../core/timestamp.ts';
import type { DeliveryRow } from './deliveries-sql.ts';

/** Converts headers to an object: names in lowercase, repeated values joined as HTTP allows. */
function presentHeaders(pairs: DeliveryRow['headers']): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function presentTimeline({ timeline, received_at }: DeliveryRow) {
  const start = timeline[0] ? new Date(timeline[0].at) : received_at;
  return timeline.map(({ at, event, ...details }) => {
    const time = new Date(at);
    return { at: formatTimestamp(time), elapsed_ms: time.getTime() - start.getTime(), event, ...details };
  });
}

interface ShownBody<Body> {
  body: Body;
  body_encoding: 'utf8' | 'base64';
}

function presentWith<Body>(row: DeliveryRow, { body, body_encoding }: ShownBody<Body>) {
  return {
    id: row.id,
    delivery_id: row.delivery_id,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: timestampOrNull(row.next_attempt_at),
    received_at: formatTimestamp(row.received_at),
    finished_at: timestampOrNull(row.finished_at),
    headers: presentHeaders(row.headers),
    body,
    body_encoding,
    body_bytes: row.body_bytes,
    result: row.result ?? {},
    error: row.error,
    timeline: presentTimeline(row),
  };
}

/**
 * Returns the record of a delivery (contract: Records). `body`: its exact bytes, or null when they are not available.
 */
export function presentDelivery(row: DeliveryRow, body: Buffer | null) {
  const body_encoding = body === null || isUtf8(body) ? 'utf8' : 'base64';
  return presentWith(row, { body: body?.toString(body_encoding) ?? null, body_encoding });
}

/** Returns the record for a response, in which a large body is read while it is sent. */
export const presentSent = (row: DeliveryRow, body: Buffer | LargeText | null) =>
  body instanceof LargeText ? presentWith(row, { body, body_encoding: body.encoding }) : presentDelivery(row, body);

export type DeliveryRecord = ReturnType<typeof presentDelivery>;
