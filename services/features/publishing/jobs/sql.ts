import type { Db } from '../../../core/db.ts';
import type { PageQuery } from '../../../core/reply.ts';
import { selectPage } from '../../../engines/sql/page.ts';

export interface JobRow {
  id: string;
  site_slug: string;
  kind: string;
  status: string;
  stage: string;
  done: number;
  total: number;
  error: string | null;
  result: object | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

const columns = `j.id, s.slug AS site_slug, j.kind, j.status, j.stage, j.done, j.total, j.error, j.result, j.created_at,
  j.started_at, j.finished_at`;
const jobsWithSite = 'jobs j JOIN sites s ON s.id = j.site_id';

export async function selectJob(db: Db, id: string): Promise<JobRow | undefined> {
  const rows = await db.query<JobRow>(`SELECT ${columns} FROM ${jobsWithSite} WHERE j.id = $1`, [id]);
  return rows[0];
}

/** Selects a page of a site's jobs, newest first. */
export function selectJobs(db: Db, siteId: string, page: PageQuery) {
  const source = { columns, from: jobsWithSite, where: 'j.site_id = $1', order: 'j.created_at DESC, j.id DESC' };
  return selectPage<JobRow>(db, source, [siteId], page);
}

/** Selects the newest jobs of a site, and its live release at the same moment. */
export async function selectNewestJobs(
  db: Db,
  siteId: string,
  limit: number,
): Promise<{ liveRelease: string | null; jobs: JobRow[] }> {
  const rows = await db.query<JobRow & { live_release: string | null; id: string | null }>(
    `SELECT s.live_release, ${columns} FROM sites s LEFT JOIN LATERAL
       (SELECT * FROM jobs WHERE site_id = s.id ORDER BY created_at DESC, id DESC LIMIT $2) j ON true
     WHERE s.id = $1 ORDER BY j.created_at DESC, j.id DESC`,
    [siteId, limit],
  );
  const jobs = rows.filter(({ id }) => id !== null).map(({ live_release: _, ...job }) => job);
  return { liveRelease: rows[0]?.live_release ?? null, jobs };
}

/** Returns those of the jobs that exist and have neither succeeded nor failed. */
export async function selectUnended(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM jobs WHERE id = ANY($1::UUID[]) AND status IN ('queued', 'running')`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
