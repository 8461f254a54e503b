import type { Db } from '../../core/db.ts';
import type { Origin } from '../../core/tracing.ts';
import type { SealedRow } from '../signing-secrets.ts';

/** What the endpoint needs of an integration, read on every request: disabling and rotating work at once. */
export interface Endpoint extends SealedRow {
  site_id: string;
}

/** The enabled integrations of these slugs, by slug. */
export async function selectEndpoints(db: Db, slugs: readonly string[]): Promise<Map<string, Endpoint>> {
  const rows = await db.query<Endpoint & { slug: string }>(
    `SELECT slug, id, site_id, secret, previous_secret, previous_until FROM integrations
     WHERE slug = ANY($1::TEXT[]) AND enabled`,
    [slugs],
  );
  return new Map(rows.map((row) => [row.slug, row]));
}

export interface NewDelivery {
  deliveryId: string;
  /** Names and values as received, in their order. */
  headers: readonly (readonly [string, string])[];
  body: Buffer | null;
  bodyHash: string | null;
  bodyBytes: number;
  timeline: string;
  /** The request that brought it. */
  origin: Origin | null;
}

/**
 * Records deliveries of one integration in the order given and answers the ids that were new, or null when the integration
 * is gone or disabled. One statement: the numbers, the records and their place in the queue come or fail together.
 */
export async function insertDeliveries(
  db: Db,
  integrationId: string,
  deliveries: readonly NewDelivery[],
): Promise<Set<string> | null> {
  const rows = await db.query<{ delivery_id: string | null }>(
    `WITH numbered AS (
       UPDATE integrations SET next_seq = next_seq + $2::INT8 WHERE id = $1 AND enabled
       RETURNING id, site_id, next_seq - $2::INT8 AS first_seq
     ), recorded AS (
       INSERT INTO deliveries (integration_id, site_id, delivery_id, seq, status, headers, body, body_hash, body_bytes, timeline,
         origin, received_at)
       SELECT n.id, n.site_id, u.delivery_id, n.first_seq + u.place, 'queued', u.headers::JSONB, u.body, u.body_hash,
         u.body_bytes, u.timeline::JSONB, u.origin::JSONB, now() + u.place * INTERVAL '1 microsecond'
       FROM numbered n, unnest($3::INT8[], $4::TEXT[], $5::TEXT[], $6::BYTEA[], $7::TEXT[], $8::INT8[], $9::TEXT[],
         $10::TEXT[]) AS u (place, delivery_id, headers, body, body_hash, body_bytes, timeline, origin)
       ORDER BY u.place
       ON CONFLICT (integration_id, delivery_id) DO NOTHING
       RETURNING delivery_id
     )
     SELECT r.delivery_id FROM numbered n LEFT JOIN recorded r ON true`,
    [
      integrationId,
      deliveries.length,
      deliveries.map((_, place) => place),
      deliveries.map((delivery) => delivery.deliveryId),
      deliveries.map((delivery) => JSON.stringify(delivery.headers)),
      deliveries.map((delivery) => delivery.body) as object,
      deliveries.map((delivery) => delivery.bodyHash) as object,
      deliveries.map((delivery) => delivery.bodyBytes),
      deliveries.map((delivery) => delivery.timeline),
      deliveries.map(({ origin }) => (origin ? JSON.stringify(origin) : null)) as object,
    ],
  );
  if (rows.length === 0) return null;
  return new Set(rows.flatMap((row) => (row.delivery_id === null ? [] : [row.delivery_id])));
}
