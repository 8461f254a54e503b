import type { Db } from '../../core/db.ts';
import { currentOrigin } from '../../core/tracing.ts';
import { insertAsPublished, insertPublish, insertRebuild, type PublishKind } from './jobs/job-state.ts';

/**
 * Returns the origin to store with a job, so that logs and traces of its build name the request, whatever wakes the
 * builder.
 */
function originAsJson(): string | null {
  const origin = currentOrigin();
  return origin && JSON.stringify(origin);
}

/**
 * Queues a publish of the stored site and returns its job's id. Call it in the requesting transaction, so that a
 * request with response 202 is never lost; wake the site's actor after the commit. Every request has its own job.
 */
export function requestPublish(db: Db, siteId: string, kind: PublishKind): Promise<string> {
  return insertPublish(db, siteId, kind, originAsJson());
}

/**
 * Queues a rebuild of the shell, or joins the waiting one: a burst of edits shares one job (spec: What the service
 * does). Call it in the transaction of the edit. The job stays queued until its build reads the site in one
 * transaction, so the build contains every edit that joined; an edit during a running build gets the next job.
 */
export function requestRebuild(db: Db, siteId: string): Promise<string> {
  return insertRebuild(db, siteId, originAsJson());
}

/** Returns the id of a site's newest rebuild job, or null when its shell was never written. */
export async function selectLatestRebuild(db: Db, siteId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `SELECT id FROM jobs WHERE site_id = $1 AND kind = 'rebuild' ORDER BY created_at DESC, id DESC LIMIT 1`,
    [siteId],
  );
  return row?.id ?? null;
}

/**
 * Queues a publish of the site as last published, with its current host and the variants made since; no unpublished
 * edits become live. Call it in the transaction that makes it necessary.
 */
export function requestAsPublished(db: Db, siteId: string): Promise<void> {
  return insertAsPublished(db, siteId, originAsJson());
}
