import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { purgeEnded } from './delivery-state.ts';

const batchSize = 500;

/**
 * Takes bodies and headers of deliveries that ended longer ago than they are kept; the records stay, with what came of them.
 * What is still to be tried is never touched. Answers how many there were; object bytes are collected once nothing names them.
 */
export async function purgeDeliveries(db: Db, { deliveryDays }: Pick<Config, 'deliveryDays'>): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await purgeEnded(db, deliveryDays, batchSize);
    purged += count;
    if (count < batchSize) return purged;
  }
}
