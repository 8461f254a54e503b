import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { Config } from '../../core/config.ts';
import type { Database } from '../../engines/sql/database.ts';
import type { TemporalGateway } from '../../engines/temporal/client.ts';
import { maxRetryMs } from './retry.ts';
import { selectSitesToSettle } from './sweep.ts';

/**
 * Ends the deliveries of a site whose job has ended: live with the job's release, or failed and tried again, since a build
 * that failed may succeed later (contract: `succeeded` means live). Answers the integrations with a new attempt ahead.
 */
export async function settleDeliveries(
  { db, config }: { db: Database; config: Pick<Config, 'retryInitialMs' | 'retryAttempts'> },
  siteId: string,
): Promise<string[]> {
  await db.query(
    `UPDATE deliveries AS d SET status = 'succeeded', finished_at = now(), error = NULL, claim = NULL,
       result = jsonb_build_object('release', j.result->'release', 'url', j.result->'url') || d.mapped
         || jsonb_build_object('job', j.id),
       timeline = d.timeline || jsonb_build_array(
         jsonb_build_object('at', j.started_at, 'event', 'build_started', 'job', j.id),
         jsonb_build_object('at', j.finished_at, 'event', 'live', 'release', j.result->'release'))
     FROM jobs j
     WHERE j.id = d.job_id AND d.site_id = $1 AND d.status = 'processing' AND d.job_id IS NOT NULL AND d.mapped IS NOT NULL
       AND j.status = 'succeeded'`,
    [siteId],
  );
  const failed = await db.query<{ integration_id: string; next_attempt_at: Date | null }>(
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
     RETURNING d.integration_id, d.next_attempt_at`,
    [siteId, config.retryAttempts, config.retryInitialMs, maxRetryMs],
  );
  return [...new Set(failed.filter((row) => row.next_attempt_at !== null).map((row) => row.integration_id))];
}

/** After a build of the site: ends what waited for it, and wakes the integrations that will try again. */
export async function settleSite(
  app: {
    db: Database;
    config: Pick<Config, 'retryInitialMs' | 'retryAttempts'>;
    temporal: Pick<TemporalGateway, 'wakeActor'>;
  },
  siteId: string,
): Promise<void> {
  for (const id of await settleDeliveries(app, siteId)) app.temporal.wakeActor(integrationActor(id));
}

/** The same for every site where somebody died before telling its deliveries. */
export async function settleEverySite(app: Parameters<typeof settleSite>[0]): Promise<void> {
  for (const siteId of await selectSitesToSettle(app.db)) await settleSite(app, siteId);
}
