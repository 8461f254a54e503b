import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/http.ts';

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

export async function selectJob(db: Db, id: string): Promise<JobRow | undefined> {
  const rows = await db.query<JobRow>(
    `SELECT ${columns} FROM jobs j JOIN sites s ON s.id = j.site_id WHERE j.id = $1`,
    [id],
  );
  return rows[0];
}

export async function selectJobs(db: Db, siteId: string, page: PageQuery) {
  const [counted] = await db.query<{ total: number }>('SELECT count(*) AS total FROM jobs WHERE site_id = $1', [
    siteId,
  ]);
  const rows = await db.query<JobRow>(
    `SELECT ${columns} FROM jobs j JOIN sites s ON s.id = j.site_id WHERE j.site_id = $1
     ORDER BY j.created_at DESC, j.id DESC LIMIT $2 OFFSET $3`,
    [siteId, page.per_page, (page.page - 1) * page.per_page],
  );
  return { rows, total: counted!.total };
}
