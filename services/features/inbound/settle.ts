import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { Config } from '../../core/config.ts';
import type { ActorClient } from '../../engines/actors/actor-client.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedDeliveries } from './announce.ts';
import { countDelivery, countLive } from './metrics.ts';
import { maxRetryMs } from './retry.ts';
import { selectSitesToSettle } from './sweep.ts';
import { type LiveDelivery, traceDelivery } from './trace.ts';

/**
 * Ends the deliveries of a site whose job has ended: live with the job's release, or failed and tried again, since a build
 * that failed may succeed later (contract: `succeeded` means live). Answers the integrations with a new attempt ahead.
 */
async function settleDeliveries(
  { db, config }: { db: Database; config: Pick<Config, 'retryInitialMs' | 'retryAttempts'> },
  siteId: string,
): Promise<string[]> {
  const live = await db.query<LiveDelivery>(
    `UPDATE deliveries AS d SET status = 'succeeded', finished_at = now(), error = NULL, claim = NULL,
       result = jsonb_build_object('release', j.result->'release', 'url', j.result->'url') || d.mapped
         || jsonb_build_object('job', j.id),
       timeline = d.timeline || jsonb_build_array(
         jsonb_build_object('at', j.started_at, 'event', 'build_started', 'job', j.id),
         jsonb_build_object('at', j.finished_at, 'event', 'live', 'release', j.result->'release'))
     FROM jobs j
     WHERE j.id = d.job_id AND d.site_id = $1 AND d.status = 'processing' AND d.job_id IS NOT NULL AND d.mapped IS NOT NULL
       AND j.status = 'succeeded'
     RETURNING d.id, d.integration_id, d.site_id, d.received_at, d.finished_at,
       d.timeline @> '[{"event": "replayed"}]'::JSONB AS replayed, d.origin->>'traceparent' AS traceparent,
       CASE WHEN d.origin->>'traceparent' IS NULL THEN NULL ELSE d.timeline END AS timeline`,
    [siteId],
  );
  for (const delivery of live) {
    countLive(delivery);
    traceDelivery(delivery);
  }
  const failed = await db.transaction(async (tx) => {
    const rows = await tx.query<{ id: string; integration_id: string; next_attempt_at: Date | null }>(
      `UPDATE deliveries AS d SET status = 'failed', error = j.error, claim = NULL,
       next_attempt_at = CASE WHEN d.attempts >= $2::INT8 THEN NULL ELSE
         now() + least($4::FLOAT8, $3::FLOAT8 * power(2::FLOAT8, (d.attempts - 1)::FLOAT8)) * (0.75 + random() * 0.5)
           * INTERVAL '1 millisecond' END,
       finished_at = CASE WHEN d.attempts >= $2::INT8 THEN now() ELSE NULL END,
       timeline = d.timeline || jsonb_build_array(jsonb_build_object(
         'at', j.finished_at, 'event', 'failed', 'job', j.id, 'message', j.error))
     FROM jobs j
     WHERE j.id = d.job_id AND d.site_id = $1 AND d.status = 'processing' AND d.job_id IS NOT NULL AND d.mapped IS NOT NULL
       AND j.status = 'failed'
     RETURNING d.id, d.integration_id, d.next_attempt_at`,
      [siteId, config.retryAttempts, config.retryInitialMs, maxRetryMs],
    );
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
    config: Pick<Config, 'retryInitialMs' | 'retryAttempts'>;
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
