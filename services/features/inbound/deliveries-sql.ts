import type { Db } from '../../core/db.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';
import type { DeliveryListQuery, DeliveryStatus } from './schema.ts';
import type { TimelineEntry } from './timeline.ts';

export interface DeliveryRow {
  id: string;
  integration_id: string;
  site_id: string;
  delivery_id: string;
  seq: number;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  headers: [string, string][];
  body: Buffer | null;
  body_hash: string | null;
  body_bytes: number;
  job_id: string | null;
  mapped: Record<string, unknown> | null;
  result: Record<string, unknown> | null;
  error: string | null;
  timeline: TimelineEntry[];
  received_at: Date;
  finished_at: Date | null;
  purged_at: Date | null;
}

export const deliveryColumns = `id, integration_id, site_id, delivery_id, seq, status, attempts, next_attempt_at, headers, body,
  body_hash, body_bytes, job_id, mapped, result, error, timeline, received_at, finished_at, purged_at`;

const listedBytes = ['body', 'headers::TEXT', 'mapped::TEXT', 'result::TEXT', 'error', 'timeline::TEXT']
  .map((column) => `COALESCE(octet_length(${column}), 0)`)
  .join(' + ');

/** Selects a page of deliveries, newest first. */
export function selectDeliveries(db: Db, integrationId: string, query: DeliveryListQuery) {
  const source: LargeListSource = {
    columns: deliveryColumns,
    table: 'deliveries',
    scope: 'integration_id = $1',
    scopeParams: [integrationId],
    filter:
      'AND ($2::TEXT IS NULL OR status = $2::TEXT) AND ($3::TIMESTAMPTZ IS NULL OR received_at >= $3::TIMESTAMPTZ)',
    filterParams: [query.status ?? null, query.since ?? null],
    order: 'received_at DESC, id DESC',
    key: { column: 'id', type: 'UUID' },
    bytes: listedBytes,
  };
  return selectLargePage<DeliveryRow>(db, source, query);
}

export async function selectDelivery(db: Db, integrationId: string, id: string): Promise<DeliveryRow | undefined> {
  const sql = `SELECT ${deliveryColumns} FROM deliveries WHERE id = $1 AND integration_id = $2`;
  return (await db.query<DeliveryRow>(sql, [id, integrationId]))[0];
}

/** Returns the next number in an integration's order of acceptance; undefined when the integration does not exist. */
export async function allocateNumber(db: Db, integrationId: string): Promise<number | undefined> {
  const [number] = await db.query<{ seq: number }>(
    'UPDATE integrations SET next_seq = next_seq + 1 WHERE id = $1 RETURNING next_seq - 1 AS seq',
    [integrationId],
  );
  return number?.seq;
}
