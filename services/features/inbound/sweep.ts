import type { Db } from '../../core/db.ts';

/**
 * Selects integrations whose actor should be awake: a delivery is due and has not been started, or the process that
 * started it may be dead.
 */
export async function selectIntegrationsToWake(db: Db): Promise<string[]> {
  const rows = await db.query<{ integration_id: string }>(
    `SELECT DISTINCT integration_id FROM deliveries
     WHERE (status IN ('queued', 'processing') OR next_attempt_at IS NOT NULL)
       AND NOT (status = 'processing' AND mapped IS NOT NULL)
       AND received_at < now() - INTERVAL '2 seconds' AND (next_attempt_at IS NULL OR next_attempt_at <= now())`,
  );
  return rows.map((row) => row.integration_id);
}

/** Selects sites with deliveries whose job has ended without ending them. */
export async function selectSitesToSettle(db: Db): Promise<string[]> {
  const rows = await db.query<{ site_id: string }>(
    `SELECT DISTINCT d.site_id FROM deliveries d JOIN jobs j ON j.id = d.job_id
     WHERE d.status = 'processing' AND d.job_id IS NOT NULL AND j.status IN ('succeeded', 'failed')`,
  );
  return rows.map((row) => row.site_id);
}
