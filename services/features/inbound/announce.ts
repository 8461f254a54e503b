import type { Db } from '../../core/db.ts';
import { recordEvents, shortError } from '../events/index.ts';

interface FailedRow {
  id: string;
  delivery_id: string;
  attempts: number;
  error: string | null;
  integration_id: string;
  slug: string;
}

/** Records that deliveries have failed after their last attempt; call it in the transaction in which they end. */
export async function announceFailedDeliveries(tx: Db, siteId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const describe = async () => {
    const rows = await tx.query<FailedRow>(
      `SELECT d.id, d.delivery_id, d.attempts, d.error, i.id AS integration_id, i.slug
       FROM deliveries d JOIN integrations i ON i.id = d.integration_id WHERE d.id = ANY($1::UUID[])`,
      [ids],
    );
    return rows.map(({ id, delivery_id, attempts, error, integration_id, slug }) => ({
      integration: { id: integration_id, slug },
      delivery: { id, delivery_id, attempts, error: shortError(error) },
    }));
  };
  await recordEvents(tx, siteId, { 'delivery.failed': describe });
}
