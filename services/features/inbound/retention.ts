import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { entry, toJson } from './timeline.ts';

const batchSize = 500;

/**
 * Takes bodies and headers of deliveries that ended longer ago than they are kept; the records stay, with what came of them.
 * What is still to be tried is never touched. Answers how many there were; object bytes are collected once nothing names them.
 */
export async function purgeDeliveries(db: Db, { deliveryDays }: Pick<Config, 'deliveryDays'>): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query(
      `UPDATE deliveries SET body = NULL, body_hash = NULL, headers = '[]'::JSONB, purged_at = now(),
         timeline = timeline || $3::JSONB
       WHERE id IN (
         SELECT id FROM deliveries
         WHERE purged_at IS NULL AND finished_at IS NOT NULL AND finished_at < now() - $1::INT8 * INTERVAL '1 day'
         ORDER BY finished_at LIMIT $2)
         AND finished_at IS NOT NULL
       RETURNING id`,
      [deliveryDays, batchSize, toJson(entry('purged'))],
    );
    purged += rows.length;
    if (rows.length < batchSize) return purged;
  }
}
