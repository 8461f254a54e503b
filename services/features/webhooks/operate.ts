import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import type { Cipher } from '../../core/secrets.ts';
import type { Database } from '../../engines/sql/database.ts';
import { replayDelivery } from './deliveries.ts';
import { type DeliveryRow, deliveryColumns } from './deliveries-sql.ts';
import { type IntegrationRow, selectIntegrationBySlug } from './integrations-sql.ts';
import { openSecret, sealSecret } from './secrets.ts';

/** By slug, as the command line names integrations. Throws `not_found`. */
export async function requireIntegrationBySlug(db: Db, slug: string): Promise<IntegrationRow> {
  const row = await selectIntegrationBySlug(db, slug);
  if (!row) throw problem('not_found', `There is no integration ${slug}.`);
  return row;
}

/** By the record's id, or by the sender's where only one delivery has it. Throws `not_found`, `conflict`. */
export async function findDeliveryByName(db: Db, name: string): Promise<DeliveryRow> {
  const rows = await db.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE id = $1::UUID OR delivery_id = $2 LIMIT 2`,
    [isUuid(name) ? name : null, name],
  );
  if (rows.length > 1) throw problem('conflict', `Several integrations have a delivery ${name}; use the record's id.`);
  if (!rows[0]) throw problem('not_found', `There is no delivery ${name}.`);
  return rows[0];
}

export interface DeliveryRange {
  integrationId: string;
  status: string | null;
  since: Date | null;
}

export type DeliveryName = Pick<DeliveryRow, 'id' | 'integration_id' | 'delivery_id'>;

/** The deliveries of a range in their order, so that replaying them one after the other keeps it. */
export async function listRange(db: Db, { integrationId, status, since }: DeliveryRange): Promise<DeliveryName[]> {
  return db.query<DeliveryName>(
    `SELECT id, integration_id, delivery_id FROM deliveries
     WHERE integration_id = $1 AND purged_at IS NULL AND ($2::TEXT IS NULL OR status = $2::TEXT)
       AND ($3::TIMESTAMPTZ IS NULL OR received_at >= $3::TIMESTAMPTZ)
     ORDER BY seq`,
    [integrationId, status, since],
  );
}

/** Replays one; the sweeper wakes the integration's actor. */
export async function replay(db: Database, { integration_id, id }: DeliveryName): Promise<DeliveryRow> {
  return db.transaction((tx) => replayDelivery(tx, integration_id, id));
}

/**
 * Seals every signing secret under the first key of the ring again, so that the others may be taken out of it. Answers how
 * many integrations were changed; a secret that is rotated at the same moment is left to the new key it has already.
 */
export async function rekeySecrets(db: Db, cipher: Cipher): Promise<number> {
  const rows = await db.query<Pick<IntegrationRow, 'id' | 'secret' | 'previous_secret'>>(
    'SELECT id, secret, previous_secret FROM integrations',
  );
  let changed = 0;
  for (const row of rows) {
    const { id, secret, previous_secret: previous } = row;
    if (cipher.isCurrent(secret) && (previous === null || cipher.isCurrent(previous))) continue;
    const seal = (sealed: string) => sealSecret(cipher, id, openSecret(cipher, { id, secret: sealed }));
    const updated = await db.query(
      `UPDATE integrations SET secret = $2, previous_secret = $3::TEXT
       WHERE id = $1 AND secret = $4 AND previous_secret IS NOT DISTINCT FROM $5::TEXT RETURNING id`,
      [id, seal(secret), previous === null ? null : seal(previous), secret, previous],
    );
    changed += updated.length;
  }
  return changed;
}

/** How many of the newest signing secrets no key of the ring opens; for a check of FIELDSTONE_SECRET_KEY. */
export async function countUnreadableSecrets(db: Db, cipher: Cipher): Promise<{ read: number; unreadable: number }> {
  const rows = await db.query<Pick<IntegrationRow, 'id' | 'secret'>>(
    'SELECT id, secret FROM integrations ORDER BY created_at DESC LIMIT 1000',
  );
  const unreadable = rows.filter((row) => {
    try {
      openSecret(cipher, row);
      return false;
    } catch {
      return true;
    }
  });
  return { read: rows.length, unreadable: unreadable.length };
}
