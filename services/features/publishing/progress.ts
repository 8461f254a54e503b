import type { Progress } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';

/** A poller sees progress; the database need not see every page. */
const intervalMs = 300;

/**
 * Reports the progress of the jobs that a build serves, at most a few times a second and one write at a time. Progress
 * is a courtesy: a write that fails changes nothing, since the build's own writes say whether the database is there.
 */
export function createProgress(db: Db, siteId: string, token: string) {
  let last = 0;
  let writing: Promise<unknown> = Promise.resolve();
  let idle = true;

  function report({ stage, done, total }: Progress): void {
    const now = Date.now();
    if (!idle || now - last < intervalMs) return;
    last = now;
    idle = false;
    writing = db
      .query(
        `UPDATE jobs SET stage = $3, done = $4, total = $5 WHERE site_id = $1 AND build_token = $2 AND status = 'running'`,
        [siteId, token, stage, done, total],
      )
      .catch(() => undefined)
      .finally(() => {
        idle = true;
      });
  }
  /** Resolves when no write is under way, so that none comes after the build's last word. */
  return { report, settle: () => writing };
}
