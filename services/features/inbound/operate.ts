import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import type { Database } from '../../engines/sql/database.ts';
import { replayDelivery } from './deliveries.ts';
import { type DeliveryRow, deliveryColumns } from './deliveries-sql.ts';

/**
 * Finds a delivery by the record's id, or by the sender's if only one delivery has it. Throws `not_found`, `conflict`.
 */
export async function findDeliveryByName(db: Db, name: string): Promise<DeliveryRow> {
  const rows = await db.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE id = $1::UUID OR delivery_id = $2 LIMIT 2`,
    [isUuid(name) ? name : null, name],
  );
  if (rows.length > 1) throw problem('conflict', `Several integrations have a delivery ${name}; use the record's id.`);
  if (!rows[0]) throw problem('not_found', `There is no delivery ${name}.`);
  return rows[0];
}

interface DeliveryRange {
  integrationId: string;
  status: string | null;
  since: Date | null;
}

type DeliveryName = Pick<DeliveryRow, 'id' | 'integration_id' | 'delivery_id'>;

/** Lists the deliveries of a range in order, so that replaying them one after the other keeps it. */
export async function listRange(db: Db, { integrationId, status, since }: DeliveryRange): Promise<DeliveryName[]> {
  return db.query<DeliveryName>(
    `SELECT id, integration_id, delivery_id FROM deliveries
     WHERE integration_id = $1 AND purged_at IS NULL AND ($2::TEXT IS NULL OR status = $2::TEXT)
       AND ($3::TIMESTAMPTZ IS NULL OR received_at >= $3::TIMESTAMPTZ)
     ORDER BY seq`,
    [integrationId, status, since],
  );
}

/** Replays a delivery; the sweeper wakes the integration's actor. */
export async function replay(db: Database, { integration_id, id }: DeliveryName): Promise<DeliveryRow> {
  return db.transaction((tx) => replayDelivery(tx, integration_id, id));
}
