import type { Database } from '../../engines/sql/database.ts';
import { publishDueContent } from '../content/scheduling.ts';
import { requestPublish } from './service.ts';

/**
 * Publishes the items of a site whose time has come and queues the job that makes them live, in one transaction: a
 * worker that dies half way has done nothing, and two that try at once do it once. Answers how many there were.
 */
export async function publishDueItems(db: Database, siteId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const published = await publishDueContent(tx, siteId);
    if (published > 0) await requestPublish(tx, siteId, 'scheduled');
    return published;
  });
}
