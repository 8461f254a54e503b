import type { Db } from '../../core/db.ts';

const reasonsShown = 3;

/** Selects the most frequent causes for which jobs are retried. `refused`: jobs that an engine refuses until its cause is removed. */
export function selectRetriedJobs(db: Db): Promise<{ error: string; jobs: number; refused: number }[]> {
  return db.query(
    `SELECT error, count(*) AS jobs, count(refused_as) AS refused FROM jobs
     WHERE status IN ('queued', 'running') AND error IS NOT NULL GROUP BY error ORDER BY count(*) DESC LIMIT $1`,
    [reasonsShown],
  );
}
