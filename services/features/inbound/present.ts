import { isUtf8 } from 'node:buffer';
import { formatTimestamp, timestampOrNull } from '../../core/timestamp.ts';
import type { DeliveryRow } from './deliveries-sql.ts';

/** Headers as one object: names in lowercase, the values of a repeated one joined as HTTP allows. */
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

/** The record of a delivery (contract: Records). `body`: its exact bytes, or null where they are not at hand. */
export function presentDelivery(row: DeliveryRow, body: Buffer | null) {
  const encoding = body === null || isUtf8(body) ? ('utf8' as const) : ('base64' as const);
  return {
    id: row.id,
    delivery_id: row.delivery_id,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: timestampOrNull(row.next_attempt_at),
    received_at: formatTimestamp(row.received_at),
    finished_at: timestampOrNull(row.finished_at),
    headers: presentHeaders(row.headers),
    body: body === null ? null : body.toString(encoding),
    body_encoding: encoding,
    body_bytes: row.body_bytes,
    result: row.result ?? {},
    error: row.error,
    timeline: presentTimeline(row),
  };
}

export type DeliveryRecord = ReturnType<typeof presentDelivery>;
