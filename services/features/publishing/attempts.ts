import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildInput, BuildTarget } from '../../../workflows/contracts/site-actor.ts';
import type { KeptPages } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';

/**
 * Attempts to build a site: each marks its start in SQL and removes the mark when it ends, in any way. A mark whose
 * worker no longer exists is a build that crashed its worker (contract: Limits). What the service itself causes
 * (SIGTERM, an engine unavailable) leaves no mark.
 */

/** Number of builds that crashed their worker or timed out after which their jobs fail (contract: Limits). */
export const maxFaults = 3;

/** The error of the jobs of such a build. */
export const tooManyFaults = `The build ended its worker (or ran out of time) ${maxFaults} times and is given up. Make the site's templates, components or pages smaller, then publish again.`;

/** Interval of a build's heartbeat, and the silence after which its worker counts as lost. */
export const beatMs = 1000;
export const silentMs = 5000;
/** A build stops itself when it times out; one that still runs this long afterwards hangs. */
const hangMs = 60_000;

export interface AttemptOwner {
  /** This process. */
  worker: string;
  /** No other worker can be alive, so any other worker in SQL is lost. */
  isOnlyWorker: boolean;
  /** Maximum duration of a build. */
  timeLimitMs: number;
}

/** Marks the start of a build, in the transaction that claims its jobs. */
export async function insertAttempt(
  tx: Db,
  { siteId, target }: BuildInput,
  { token, worker }: { token: string; worker: string },
): Promise<void> {
  await tx.query('INSERT INTO build_attempts (token, site_id, target, worker) VALUES ($1, $2, $3, $4)', [
    token,
    siteId,
    target,
    worker,
  ]);
}

/** Records a heartbeat of a build's worker. */
export async function beatAttempt(db: Db, token: string): Promise<void> {
  await db.query('UPDATE build_attempts SET seen_at = now() WHERE token = $1', [token]);
}

/**
 * Removes the mark of a build that ended for a reason unrelated to the site: lost, cancelled, an engine unavailable.
 */
export async function forgetAttempt(db: Db, token: string): Promise<void> {
  await db.query('DELETE FROM build_attempts WHERE token = $1 AND fault IS NULL', [token]);
}

/** Does the same for a build that failed because of an engine; it retries until the database responds. */
export function forgetWhenPossible(db: Db, token: string): void {
  const tryAgain = () => setTimeout(() => forgetWhenPossible(db, token), beatMs).unref();
  forgetAttempt(db, token).catch(tryAgain);
}

/** Removes all marks of a site's builds, which restarts the count, and the pages that they kept. */
export async function forgetAttempts(tx: Db, siteId: string, target: BuildTarget): Promise<void> {
  await tx.query('DELETE FROM build_attempts WHERE site_id = $1 AND target = $2', [siteId, target]);
  await tx.query('DELETE FROM build_shards WHERE site_id = $1 AND target = $2', [siteId, target]);
}

/** Removes the marks of this worker's running builds: it stops, which is not their fault. */
export async function excuseAttempts(db: Db, worker: string): Promise<void> {
  await db.query('DELETE FROM build_attempts WHERE worker = $1 AND fault IS NULL', [worker]);
}

/** Counts a build that timed out, and stores what it had finished. */
export async function countTimeout(db: Db, token: string, kept: KeptPages | null): Promise<void> {
  await db.query(
    `UPDATE build_attempts SET fault = 'timeout', kept_manifest_hash = $2, kept_trace_hash = $3 WHERE token = $1`,
    [token, kept?.manifestHash ?? null, kept?.traceHash ?? null],
  );
}

/** Returns what the latest timed-out build had finished; null when not found. */
export async function selectKeptPages(db: Db, siteId: string, target: BuildTarget): Promise<KeptPages | null> {
  const [row] = await db.query<KeptPages>(
    `SELECT kept_manifest_hash AS "manifestHash", kept_trace_hash AS "traceHash" FROM build_attempts
     WHERE site_id = $1 AND target = $2 AND kept_manifest_hash IS NOT NULL ORDER BY started_at DESC LIMIT 1`,
    [siteId, target],
  );
  return row ?? null;
}

export interface Faults {
  crashes: number;
  timeouts: number;
}

const faultNames = { crash: 'crashes', timeout: 'timeouts' } as const;

/** Counts the faults of a site's builds since the last one that finished. */
export async function countFaults(db: Db, { siteId, target }: BuildInput): Promise<Faults> {
  const rows = await db.query<{ fault: keyof typeof faultNames; number: number }>(
    `SELECT fault, count(*) AS number FROM build_attempts
     WHERE site_id = $1 AND target = $2 AND fault IS NOT NULL GROUP BY fault`,
    [siteId, target],
  );
  const faults: Faults = { crashes: 0, timeouts: 0 };
  for (const { fault, number } of rows) faults[faultNames[fault]] = number;
  return faults;
}

interface OpenAttempt {
  token: string;
  seen_at: Date;
}

/** Selects builds of the site on other workers that have not recorded their end. */
function selectOpen(db: Db, { siteId, target }: BuildInput, worker: string): Promise<OpenAttempt[]> {
  return db.query<OpenAttempt>(
    `SELECT token, seen_at FROM build_attempts
     WHERE site_id = $1 AND target = $2 AND worker <> $3 AND fault IS NULL`,
    [siteId, target, worker],
  );
}

/**
 * Determines how earlier builds of a site ended, before the next one starts, and counts those whose worker is lost or
 * that hang. If other workers may be alive, it watches their heartbeats for `watchMs`: a heartbeat may be missing only
 * because the database was unavailable.
 */
export async function judgeAttempts(
  db: Db,
  order: BuildInput,
  { worker, isOnlyWorker, timeLimitMs }: AttemptOwner,
  { signal, watchMs = silentMs }: { signal?: AbortSignal; watchMs?: number } = {},
): Promise<void> {
  let gone = await selectOpen(db, order, worker);
  if (gone.length > 0 && !isOnlyWorker) {
    await sleep(watchMs, undefined, { signal });
    const now = new Map((await selectOpen(db, order, worker)).map(({ token, seen_at }) => [token, seen_at.getTime()]));
    gone = gone.filter(({ token, seen_at }) => now.get(token) === seen_at.getTime());
  }
  if (gone.length > 0) {
    await db.query(`UPDATE build_attempts SET fault = 'crash' WHERE token = ANY($1::UUID[]) AND fault IS NULL`, [
      gone.map(({ token }) => token),
    ]);
  }
  await db.query(
    `UPDATE build_attempts SET fault = 'timeout'
     WHERE site_id = $1 AND target = $2 AND fault IS NULL AND started_at < now() - $3::INT8 * INTERVAL '1 millisecond'`,
    [order.siteId, order.target, timeLimitMs + hangMs],
  );
}
