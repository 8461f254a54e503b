import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedDeliveries } from './announce.ts';
import { type RetrySettings, settleFailed, settleLive } from './delivery-state.ts';
import { countDelivery, countLive } from './metrics.ts';
import { selectSitesToSettle } from './sweep.ts';
import { traceDelivery } from './trace.ts';

/**
 * Ends the deliveries of a site whose job has ended: live with the job's release, or failed and retried, because a
 * failed build may succeed later (contract: `succeeded` means live). Returns the integrations with a next attempt.
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

/** Ends the deliveries that waited for a build of the site, and wakes the integrations that retry some. */
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

/** Does the same for every site, in case a process died before it ended the deliveries of a finished job. */
export async function settleEverySite(app: Parameters<typeof settleSite>[0]): Promise<void> {
  for (const siteId of await selectSitesToSettle(app.db)) await settleSite(app, siteId);
}
