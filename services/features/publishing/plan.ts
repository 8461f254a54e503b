import type { SitePlan } from '../../../workflows/contracts/site-actor.ts';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Database } from '../../engines/sql/database.ts';
import { publishDueContent } from '../content/index.ts';
import { countFaults } from './attempts.ts';
import { planMediaRefresh } from './media-refresh.ts';
import { requestPublish } from './request.ts';

interface WaitingRow {
  kind: string;
  running: boolean;
  /** Milliseconds since the job was created, and since the latest edit that it waits for. */
  age_ms: number;
  quiet_ms: number;
}

interface PlanSettings {
  rebuildQuietMs: number;
  rebuildMaxMs: number;
}

async function selectWaiting(db: Db, siteId: string): Promise<WaitingRow[]> {
  return db.query<WaitingRow>(
    `SELECT kind, status = 'running' AS running,
       (EXTRACT(EPOCH FROM now() - created_at) * 1000)::FLOAT8 AS age_ms,
       (EXTRACT(EPOCH FROM now() - touched_at) * 1000)::FLOAT8 AS quiet_ms
     FROM jobs WHERE site_id = $1 AND status IN ('queued', 'running')`,
    [siteId],
  );
}

async function selectNextDueMs(db: Db, siteId: string): Promise<number | null> {
  const [row] = await db.query<{ due_ms: number | null }>(
    `SELECT (EXTRACT(EPOCH FROM min(scheduled_at) - now()) * 1000)::FLOAT8 AS due_ms
     FROM content WHERE site_id = $1 AND status = 'scheduled' AND trashed_at IS NULL`,
    [siteId],
  );
  return row?.due_ms ?? null;
}

/**
 * Publishes the due items of a site and queues the job that makes them live, in one transaction: a worker that dies
 * halfway has changed nothing, and concurrent calls publish once.
 */
async function publishDueItems(db: Database, site: { id: string; slug: string }): Promise<void> {
  await db.transaction(async (tx) => {
    const published = await publishDueContent(tx, site);
    if (published > 0) await requestPublish(tx, site.id, 'scheduled');
  });
}

/**
 * Returns how long a rebuild still waits for more edits (contract: FIELDSTONE_REBUILD_QUIET_MS,
 * FIELDSTONE_REBUILD_MAX_MS).
 */
function rebuildWaitMs(waiting: Omit<WaitingRow, 'kind'>, settings: PlanSettings): number {
  if (waiting.running) return 0; // its build was lost: it has already waited
  const quietLeft = settings.rebuildQuietMs - waiting.quiet_ms;
  const maxLeft = settings.rebuildMaxMs - waiting.age_ms;
  return Math.max(0, Math.ceil(Math.min(quietLeft, maxLeft)));
}

/** Chooses what to do for the waiting jobs and the next scheduled item; live releases come first. */
export function choosePlan(
  waiting: readonly WaitingRow[],
  nextDueMs: number | null,
  autopublish: boolean,
  settings: PlanSettings,
): SitePlan {
  if (waiting.some((job) => job.kind !== 'rebuild')) return { do: 'build', target: 'live' };
  const waits = waiting.map((job) => rebuildWaitMs(job, settings));
  if (waits.includes(0)) return { do: 'build', target: autopublish ? 'live' : 'preview' };
  if (nextDueMs !== null) waits.push(Math.max(0, Math.ceil(nextDueMs)));
  return waits.length > 0 ? { do: 'sleep', ms: Math.min(...waits) } : { do: 'idle' };
}

/**
 * Returns what a site's actor does next. Due items are published here first, each exactly once, with a job that makes
 * them live (spec: States and transitions; contract: Scheduler).
 */
export async function planSite(
  deps: { db: Database; config: Pick<Config, keyof PlanSettings> },
  siteId: string,
): Promise<SitePlan> {
  const { db, config } = deps;
  const [site] = await db.query<{ slug: string; settings: Record<string, unknown> }>(
    'SELECT slug, settings FROM sites WHERE id = $1',
    [siteId],
  );
  if (!site) return { do: 'end' };
  let nextDueMs = await selectNextDueMs(db, siteId);
  if (nextDueMs !== null && nextDueMs <= 0) {
    await publishDueItems(db, { id: siteId, slug: site.slug });
    nextDueMs = await selectNextDueMs(db, siteId);
  }
  const refreshMs = await planMediaRefresh(db, siteId);
  if (refreshMs !== null) nextDueMs = Math.min(nextDueMs ?? refreshMs, refreshMs);
  const waiting = await selectWaiting(db, siteId);
  const plan = choosePlan(waiting, nextDueMs, site.settings['shell_autopublish'] === true, config);
  if (plan.do !== 'build') return plan;
  const { crashes } = await countFaults(db, { siteId, target: plan.target });
  return crashes > 0 ? { ...plan, alone: true } : plan;
}
