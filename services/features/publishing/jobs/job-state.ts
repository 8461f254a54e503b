import type { Db } from '../../../core/db.ts';
import type { Origin } from '../../../core/tracing.ts';

/**
 * The states of a job, as conditions on its row; each row meets exactly one. No other file writes the columns of the
 * state, the progress and the error (test/unit/checks/state-columns.test.ts). A retried job has its reason in `error`
 * and stays `queued` or `running`.
 */
export const jobStates = {
  queued: `status = 'queued'`,
  /** A build serves it; when that build is lost, the next build of its site takes it. */
  running: `status = 'running'`,
  succeeded: `status = 'succeeded'`,
  failed: `status = 'failed'`,
} as const;

export type JobStatus = keyof typeof jobStates;

interface Transition {
  /** `none`: the job does not exist yet. */
  from: readonly (JobStatus | 'none')[];
  to: readonly JobStatus[];
}

/**
 * Every transition, by the name of the function that makes it with one statement. Each compares the state that it
 * leaves (and the token of the build, if one serves the job) and returns what it changed; in any other state it changes
 * nothing.
 */
export const jobTransitions = {
  insertPublish: { from: ['none'], to: ['queued'] },
  insertAsPublished: { from: ['none'], to: ['queued'] },
  /** Joins the queued rebuild of the site, if one exists. */
  insertRebuild: { from: ['none', 'queued'], to: ['queued'] },
  takeJobs: { from: ['queued', 'running'], to: ['running'] },
  reportProgress: { from: ['running'], to: ['running'] },
  markVisible: { from: ['running'], to: ['running'] },
  returnJobs: { from: ['running'], to: ['running'] },
  succeedJobs: { from: ['running'], to: ['succeeded'] },
  failJobs: { from: ['running'], to: ['failed'] },
  giveUpJobs: { from: ['running'], to: ['failed'] },
  noteRetryCause: { from: ['queued', 'running'], to: ['queued', 'running'] },
  failRefused: { from: ['queued', 'running'], to: ['failed'] },
} as const satisfies Record<string, Transition>;

/** Kinds of jobs that make the live site (contract: job). A rebuild makes the preview. */
export type PublishKind = 'publish' | 'scheduled' | 'webhook';

/** The build that serves jobs: its site, and its token while it may swap. */
export interface ServingBuild {
  siteId: string;
  token: string;
}

export interface ClaimedJob {
  id: string;
  kind: string;
  /** The request that created it. */
  origin: Origin | null;
  /** It requests the site as last published, because of a changed host or new variants. */
  as_published: boolean;
}

/** A job that failed in this transaction. */
export interface FailedJob {
  id: string;
  kind: string;
}

/** Jobs of a site that wait for one kind of build. */
export interface WaitingJobs {
  siteId: string;
  kinds: readonly string[];
  /** `running` for the jobs of a build; also `queued` when the build could not start. */
  statuses: readonly ('queued' | 'running')[];
}

/** `none` → `queued`. Returns the job's id. */
export async function insertPublish(db: Db, siteId: string, kind: PublishKind, origin: string | null): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO jobs (site_id, kind, status, origin) VALUES ($1, $2, 'queued', $3::JSONB) RETURNING id`,
    [siteId, kind, origin],
  );
  return row!.id;
}

/** `none` → `queued`, for the site as last published. See `requestAsPublished`. */
export async function insertAsPublished(db: Db, siteId: string, origin: string | null): Promise<void> {
  await db.query(
    `INSERT INTO jobs (site_id, kind, status, as_published, origin) VALUES ($1, 'publish', 'queued', true, $2::JSONB)`,
    [siteId, origin],
  );
}

/** `none` → `queued`, or the queued rebuild of the site also waits for this edit. Returns the job's id. */
export async function insertRebuild(db: Db, siteId: string, origin: string | null): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `INSERT INTO jobs (site_id, kind, status, origin) VALUES ($1, 'rebuild', 'queued', $2::JSONB)
     ON CONFLICT (site_id) WHERE kind = 'rebuild' AND status = 'queued' DO UPDATE SET touched_at = now()
     RETURNING id`,
    [siteId, origin],
  );
  return row!.id;
}

/**
 * A build starts: `queued` or `running` → `running`. Jobs of a lost build are still `running`; a site has one build at
 * a time.
 */
export function takeJobs(db: Db, { siteId, token }: ServingBuild, kinds: readonly string[]): Promise<ClaimedJob[]> {
  return db.query<ClaimedJob>(
    `UPDATE jobs SET status = 'running', build_token = $3, stage = 'snapshot', done = 0, total = 0,
       started_at = COALESCE(started_at, now())
     WHERE site_id = $1 AND status IN ('queued', 'running') AND kind = ANY($2::TEXT[])
     RETURNING id, kind, origin, as_published`,
    [siteId, kinds, token],
  );
}

/**
 * Stores the progress of a build; its jobs stay `running`. Returns the number of changed jobs, like the functions
 * below.
 */
export async function reportProgress(
  db: Db,
  { siteId, token }: ServingBuild,
  { stage, done, total }: { stage: string; done: number; total: number },
): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET stage = $3, done = $4, total = $5 WHERE site_id = $1 AND build_token = $2 AND status = 'running' RETURNING id`,
    [siteId, token, stage, done, total],
  );
  return rows.length;
}

/** The release is swapped in, but not every edge has seen it, so the jobs stay `running`. */
export async function markVisible(db: Db, { siteId, token }: ServingBuild, pages: number): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET stage = 'visible', done = $3, total = $3 WHERE build_token = $1 AND site_id = $2 AND status = 'running' RETURNING id`,
    [token, siteId, pages],
  );
  return rows.length;
}

/** The build ended without a release; its jobs stay `running`, and the next build takes them. */
export async function returnJobs(db: Db, { siteId, token }: ServingBuild): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET stage = 'queued', done = 0, total = 0 WHERE build_token = $1 AND site_id = $2 AND status = 'running' RETURNING id`,
    [token, siteId],
  );
  return rows.length;
}

/** Every edge has seen the release: `running` → `succeeded`. */
export async function succeedJobs(
  db: Db,
  { siteId, token }: ServingBuild,
  result: { pages: number; [member: string]: unknown },
): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET status = 'succeeded', stage = 'done', done = $4, total = $4, result = $3, error = NULL,
       refused_as = NULL, refused_since = NULL, finished_at = now()
     WHERE build_token = $1 AND site_id = $2 AND status = 'running' RETURNING id`,
    [token, siteId, JSON.stringify(result), result.pages],
  );
  return rows.length;
}

/** The build failed permanently: `running` → `failed`. */
export function failJobs(db: Db, { siteId, token }: ServingBuild, message: string): Promise<FailedJob[]> {
  return db.query<FailedJob>(
    `UPDATE jobs SET status = 'failed', stage = 'failed', error = $2, finished_at = now()
       WHERE build_token = $1 AND site_id = $3 AND status = 'running' RETURNING id, kind`,
    [token, message, siteId],
  );
}

/** Builds crashed their worker too often: the jobs that they served, `running` → `failed`. Later jobs stay `queued`. */
export function giveUpJobs(db: Db, siteId: string, kinds: readonly string[], message: string): Promise<FailedJob[]> {
  return db.query<FailedJob>(
    `UPDATE jobs SET status = 'failed', stage = 'failed', error = $3, finished_at = now()
     WHERE site_id = $1 AND status = 'running' AND kind = ANY($2::TEXT[]) RETURNING id, kind`,
    [siteId, kinds, message],
  );
}

/**
 * Stores why jobs are retried; they stay in their state (contract: Limits). `refusedAs` is the code of a refusal, which
 * a retry alone does not change; the time of the first refusal with this code is kept.
 */
export async function noteRetryCause(
  db: Db,
  { siteId, kinds, statuses }: WaitingJobs,
  { message, refusedAs }: { message: string; refusedAs: string | null },
): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET error = $4, refused_as = $5::TEXT,
         refused_since = CASE WHEN $5::TEXT IS NULL THEN NULL WHEN refused_as = $5::TEXT THEN refused_since ELSE now() END
       WHERE site_id = $1 AND kind = ANY($2::TEXT[]) AND status = ANY($3::TEXT[]) RETURNING id`,
    [siteId, kinds, statuses, message, refusedAs],
  );
  return rows.length;
}

/**
 * Fails jobs that one refusal has blocked for `refusedMs`: `queued` or `running` → `failed`, with the error they
 * already have.
 */
export function failRefused(db: Db, { siteId, kinds, statuses }: WaitingJobs, refusedMs: number): Promise<FailedJob[]> {
  return db.query<FailedJob>(
    `UPDATE jobs SET status = 'failed', stage = 'failed', finished_at = now()
       WHERE site_id = $1 AND kind = ANY($2::TEXT[]) AND status = ANY($3::TEXT[])
         AND refused_since <= now() - $4::INT8 * INTERVAL '1 millisecond'
       RETURNING id, kind`,
    [siteId, kinds, statuses, refusedMs],
  );
}
