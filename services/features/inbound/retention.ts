import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { purgeEnded } from './delivery-state.ts';

const batchSize = 500;

/**
 * Deletes bodies and headers of deliveries that ended before the retention time; the records stay, with their results.
 * Deliveries that are not finished are not affected. Returns their number; objects are collected once nothing refers to
 * them.
 */
export async function purgeDeliveries(db: Db, { deliveryDays }: Pick<Config, 'deliveryDays'>): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await purgeEnded(db, deliveryDays, batchSize);
    purged += count;
    if (count < batchSize) return purged;
  }
}
