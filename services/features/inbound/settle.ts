import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedDeliveries } from './announce.ts';
import { type RetrySettings, settleFailed, settleLive } from './delivery-state.ts';
import { countDelivery, countLive } from './metrics.ts';
import { selectSitesToSettle } from './sweep.ts';
import { traceDelivery } from './trace.ts';

/**
 * Ends the deliveries of a site whose job has ended: live with the job's release, or failed and tried again, since a build
 * that failed may succeed later (contract: `succeeded` means live). Answers the integrations with a new attempt ahead.
 */
async function settleDeliveries(
  { db, config }: { db: Database; config: RetrySettings },
  siteId: string,
): Promise<string[]> {
  const live = await settleLive(db, siteId);
  for (const delivery of live) {
    countLive(delivery);
    traceDelivery(delivery);
  }
  const failed = await db.transaction(async (tx) => {
    const rows = await settleFailed(tx, siteId, config);
    const ended = rows.filter((row) => row.next_attempt_at === null).map((row) => row.id);
    await announceFailedDeliveries(tx, siteId, ended);
    return rows;
  });
  for (const { next_attempt_at: next } of failed) countDelivery(next === null ? 'failed' : 'retried');
  return [...new Set(failed.filter((row) => row.next_attempt_at !== null).map((row) => row.integration_id))];
}

/** After a build of the site: ends what waited for it, and wakes the integrations that will try again. */
export async function settleSite(
  app: {
    db: Database;
    config: RetrySettings;
    actors: Pick<ActorClient, 'wakeActor'>;
  },
  siteId: string,
): Promise<void> {
  for (const id of await settleDeliveries(app, siteId)) app.actors.wakeActor(integrationActor(id));
}

/** The same for every site where somebody died before telling its deliveries. */
export async function settleEverySite(app: Parameters<typeof settleSite>[0]): Promise<void> {
  for (const siteId of await selectSitesToSettle(app.db)) await settleSite(app, siteId);
}
