import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { WorkerApp } from '../app.ts';
import { selectContentPlaces } from '../content/index.ts';
import { attachJob, type DueRebuild, selectDueRebuilds, updateMapped } from '../inbound/index.ts';
import { requestPublish } from '../publishing/index.ts';
import { describeItem } from './mappers/content-payload.ts';

/**
 * Updates the description of items in the results: an editor may have moved an item since it was mapped, and the result
 * contains its live URL (contract: Records, delivery).
 */
async function renameItems(db: Db, { config }: WorkerApp, site: Site, due: readonly DueRebuild[]): Promise<void> {
  const itemOf = ({ mapped: { item } }: DueRebuild) => (item?.kind === 'content' && item.id ? item.id : null);
  const ids = due.map(itemOf).filter((id) => id !== null);
  const places = new Map((await selectContentPlaces(db, site.id, ids)).map((place) => [place.id, place]));
  for (const delivery of due) {
    const place = places.get(itemOf(delivery) ?? '');
    if (place) await updateMapped(db, delivery.id, describeItem(place, site, config));
  }
}

/** Requests another build, the same for all, for mapped deliveries whose build failed (contract: Records, delivery). */
export async function retryBuilds(app: WorkerApp, integrationId: string, site: Site): Promise<void> {
  const retried = await app.db.transaction(async (tx) => {
    const due = await selectDueRebuilds(tx, integrationId);
    if (due.length === 0) return false;
    await renameItems(tx, app, site, due);
    const ids = due.map(({ id }) => id);
    await attachJob(tx, ids, await requestPublish(tx, site.id, 'webhook'));
    return true;
  });
  if (retried) app.actors.wakeSite(site.id);
}
