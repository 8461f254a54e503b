import type { Progress } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import { reportProgress, type ServingBuild } from './jobs/job-state.ts';

/** Short enough for a polling client, without a write per page. */
const intervalMs = 300;

/**
 * Creates a reporter of a build's progress, with at most a few writes per second and one at a time. A failed write is
 * ignored: progress is not essential, and the build's own writes show whether the database is available.
 */
export function createProgress(db: Db, build: ServingBuild) {
  let last = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let idle = true;

  function report({ stage, done, total }: Progress): void {
    const now = Date.now();
    if (!idle || now - last < intervalMs) return;
    last = now;
    idle = false;
    writing = reportProgress(db, build, { stage, done, total })
      .catch(() => undefined)
      .finally(() => {
        idle = true;
      });
  }
  /** Resolves when no write is running, so that none follows the build's last write. */
  return { report, settle: () => writing };
}
