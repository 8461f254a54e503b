import type { Db } from '../../core/db.ts';
import { type ClaimedDelivery, waiting } from './delivery-state.ts';

/** A mapped delivery whose build failed. */
export interface DueRebuild {
  id: string;
  /** The mapper's result, with the content item if it wrote one. */
  mapped: { item?: { kind: string; id?: string } };
}

/** Selects and locks mapped deliveries whose build failed and whose next attempt is due. */
export async function selectDueRebuilds(db: Db, integrationId: string): Promise<DueRebuild[]> {
  return db.query<DueRebuild>(
    `SELECT id, mapped FROM deliveries
     WHERE integration_id = $1 AND ${waiting} AND mapped IS NOT NULL AND status = 'failed' AND next_attempt_at <= now()
     ORDER BY seq FOR UPDATE`,
    [integrationId],
  );
}

/** Updates the result of a mapping with later changes. */
export async function updateMapped(db: Db, id: string, changes: object): Promise<void> {
  await db.query('UPDATE deliveries SET mapped = mapped || $2::JSONB WHERE id = $1', [id, JSON.stringify(changes)]);
}

/**
 * Returns the milliseconds until the next delivery is due (0 or less: now), or null when none waits. Deliveries that
 * wait for a build are not counted.
 */
export async function selectNextDueMs(db: Db, integrationId: string): Promise<number | null> {
  const [row] = await db.query<{ due_ms: number | null }>(
    `SELECT min(CASE WHEN next_attempt_at IS NULL THEN 0
       ELSE EXTRACT(EPOCH FROM next_attempt_at - now()) * 1000 END)::FLOAT8 AS due_ms
     FROM deliveries WHERE integration_id = $1 AND ${waiting} AND NOT (status = 'processing' AND mapped IS NOT NULL)`,
    [integrationId],
  );
  return row?.due_ms ?? null;
}

interface HeldDelivery {
  /** The number of the delivery last applied to the same item. */
  applied_seq: number | null;
  applied_delivery: string | null;
  item_id: string | null;
}

/** Locks the delivery if this run still holds it, and returns what was last applied to its item. */
export async function lockClaimed(
  db: Db,
  { id, claim, integration_id }: ClaimedDelivery,
  itemKey: string,
): Promise<HeldDelivery | undefined> {
  const rows = await db.query<HeldDelivery>(
    `SELECT i.seq AS applied_seq, i.delivery_id AS applied_delivery, i.item_id
     FROM deliveries d LEFT JOIN integration_items i ON i.integration_id = $3 AND i.item_key = $4
     WHERE d.id = $1 AND d.claim = $2 AND d.status = 'processing' FOR UPDATE OF d`,
    [id, claim, integration_id, itemKey],
  );
  return rows[0];
}

/** Stores which delivery was last applied to an item. */
export async function storeAppliedItem(
  db: Db,
  { id, seq, integration_id }: ClaimedDelivery,
  itemKey: string,
  itemId: string | null,
): Promise<void> {
  await db.query(
    `INSERT INTO integration_items (integration_id, item_key, seq, delivery_id, item_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (integration_id, item_key) DO UPDATE SET seq = excluded.seq, delivery_id = excluded.delivery_id,
       item_id = excluded.item_id`,
    [integration_id, itemKey, seq, id, itemId],
  );
}

/** Returns what was last applied to an item. */
export async function selectItem(
  db: Db,
  integrationId: string,
  itemKey: string,
): Promise<{ seq: number; item_id: string | null } | undefined> {
  const rows = await db.query<{ seq: number; item_id: string | null }>(
    'SELECT seq, item_id FROM integration_items WHERE integration_id = $1 AND item_key = $2',
    [integrationId, itemKey],
  );
  return rows[0];
}
