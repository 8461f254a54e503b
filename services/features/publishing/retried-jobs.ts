import { RevisionGone } from '../../build/index.ts';
import { Problem } from '../../core/errors.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedJobs } from './announce.ts';
import { type FailedJob, failRefused, noteRetryCause, type WaitingJobs } from './jobs/job-state.ts';

/** Why an attempt failed, as stored in its jobs. */
interface RetryCause {
  message: string;
  /** The code of a refusal, which a retry alone does not change. */
  refusedAs: string | null;
}

function describeRetry(error: unknown): RetryCause {
  if (error instanceof Problem) return { message: error.message, refusedAs: error.refusedAs ?? null };
  if (error instanceof MissingObject) {
    const message = 'Something that the build needs is not in the object store any more; a backup may have it.';
    return { message, refusedAs: 'missing_object' };
  }
  if (error instanceof RevisionGone)
    return { message: 'An item was purged while the build ran; it begins again.', refusedAs: null };
  return { message: 'The build failed for a reason inside the service; its log says more.', refusedAs: null };
}

/**
 * Stores in the jobs of a build that failed because of an engine why they are retried (contract: Limits). Fails and
 * returns those that one refusal has blocked for longer than `refusedMs`.
 */
export async function noteRetry(
  db: Database,
  jobs: WaitingJobs,
  error: unknown,
  refusedMs: number,
): Promise<FailedJob[]> {
  const cause = describeRetry(error);
  return db.transaction(async (tx) => {
    await noteRetryCause(tx, jobs, cause);
    const failed = await failRefused(tx, jobs, refusedMs);
    await announceFailedJobs(tx, jobs.siteId, failed, cause.message);
    return failed;
  });
}
