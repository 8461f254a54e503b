import { RevisionGone } from '../../build/index.ts';
import { Problem } from '../../core/errors.ts';
import { MissingObject } from '../../engines/objects/store.ts';
import type { Database } from '../../engines/sql/database.ts';
import { announceFailedJobs, type FailedJob } from './announce.ts';

/** Why an attempt failed, as its jobs say it. */
interface RetryCause {
  message: string;
  /** The code of a refusal, which trying again alone does not change. */
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

export interface RetriedJobs {
  siteId: string;
  kinds: readonly string[];
  /** `running` for those of a build; `queued` too where the build could not even begin. */
  statuses: readonly string[];
}

/**
 * Says in the jobs of a build that an engine failed why they are tried again (contract: Limits). Those that one refusal has kept from
 * success for longer than `refusedMs` fail with it; they are returned.
 */
export async function noteRetry(
  db: Database,
  { siteId, kinds, statuses }: RetriedJobs,
  error: unknown,
  refusedMs: number,
): Promise<FailedJob[]> {
  const { message, refusedAs } = describeRetry(error);
  return db.transaction(async (tx) => {
    await tx.query(
      `UPDATE jobs SET error = $4, refused_as = $5::TEXT,
         refused_since = CASE WHEN $5::TEXT IS NULL THEN NULL WHEN refused_as = $5::TEXT THEN refused_since ELSE now() END
       WHERE site_id = $1 AND kind = ANY($2::TEXT[]) AND status = ANY($3::TEXT[])`,
      [siteId, kinds, statuses, message, refusedAs],
    );
    const failed = await tx.query<FailedJob>(
      `UPDATE jobs SET status = 'failed', stage = 'failed', finished_at = now()
       WHERE site_id = $1 AND kind = ANY($2::TEXT[]) AND status = ANY($3::TEXT[])
         AND refused_since <= now() - $4::INT8 * INTERVAL '1 millisecond'
       RETURNING id, kind`,
      [siteId, kinds, statuses, refusedMs],
    );
    await announceFailedJobs(tx, siteId, failed, message);
    return failed;
  });
}
