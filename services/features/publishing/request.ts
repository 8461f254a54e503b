import type { Db } from '../../core/db.ts';
import { currentOrigin } from '../../core/tracing.ts';
import { insertAsPublished, insertPublish, insertRebuild, type PublishKind } from './jobs/job-state.ts';

/** Kept with a job, so that logs and traces of its build lead back to the request, whoever wakes the builder. */
function originAsJson(): string | null {
  const origin = currentOrigin();
  return origin && JSON.stringify(origin);
}

/**
 * Queues a publish of the stored site and answers its job's id. Belongs in the transaction that asks for it, so that what
 * was answered 202 is never lost; wake the site's actor after the commit. Every request keeps its own job.
 */
export function requestPublish(db: Db, siteId: string, kind: PublishKind): Promise<string> {
  return insertPublish(db, siteId, kind, originAsJson());
}

/**
 * Queues a rebuild of the shell, or joins the one that still waits: a burst of edits shares one job (spec: What the
 * service does). Belongs in the transaction of the edit. The job stays queued until its build reads the site in one
 * transaction, so the build contains every edit that joined; an edit during a running build gets the next job.
 */
export function requestRebuild(db: Db, siteId: string): Promise<string> {
  return insertRebuild(db, siteId, originAsJson());
}

/** The id of the newest rebuild job of a site, or null when its shell was never written. */
export async function selectLatestRebuild(db: Db, siteId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM jobs WHERE site_id = $1 AND kind = 'rebuild' ORDER BY created_at DESC, id DESC LIMIT 1`,
    [siteId],
  );
  return row?.id ?? null;
}

/**
 * Queues a publish of the site as it was last published, with its address of today and the variants made since: nobody's
 * edits go live by it. Belongs in the transaction that makes it necessary.
 */
export function requestAsPublished(db: Db, siteId: string): Promise<void> {
  return insertAsPublished(db, siteId, originAsJson());
}
