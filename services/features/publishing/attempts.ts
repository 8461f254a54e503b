import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildOrder, BuildTarget } from '../../../workflows/contracts/site-actor.ts';
import type { KeptPages } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';

/**
 * Attempts to build a site: each marks its start in SQL and removes the mark when it ends, however it ends. A mark whose worker is
 * gone is a build that ended its worker (contract: Limits). What the service itself does (SIGTERM, an engine away) leaves no mark.
 */

/** A build that ended its worker or ran out of time this often fails its jobs (contract: Limits). */
export const maxFaults = 3;

/** What the jobs of such a build say. */
export const tooManyFaults = `The build ended its worker (or ran out of time) ${maxFaults} times and is given up. Make the site's templates, components or pages smaller, then publish again.`;

/** How often a build says that its worker lives, and for how long one has to be silent to count as gone. */
export const beatMs = 1000;
const silentMs = 5000;
/** A build stops itself when its time is over; one that did not within this time more hangs. */
const hangMs = 60_000;

export interface AttemptOwner {
  /** This process. */
  worker: string;
  /** No other worker can be alive: one that is in SQL is gone. */
  isOnlyWorker: boolean;
  /** The longest that a build may take. */
  timeLimitMs: number;
}

/** Marks the start of a build, in the transaction that claims its jobs. */
export async function insertAttempt(
  tx: Db,
  { siteId, target }: BuildOrder,
  { token, worker }: { token: string; worker: string },
): Promise<void> {
  await tx.query('INSERT INTO build_attempts (token, site_id, target, worker) VALUES ($1, $2, $3, $4)', [
    token,
    siteId,
    target,
    worker,
  ]);
}

/** Says that the worker of a build lives. */
export async function beatAttempt(db: Db, token: string): Promise<void> {
  await db.query('UPDATE build_attempts SET seen_at = now() WHERE token = $1', [token]);
}

/** Removes the mark of a build that came to an end which says nothing about the site: lost, cancelled, an engine away. */
export async function forgetAttempt(db: Db, token: string): Promise<void> {
  await db.query('DELETE FROM build_attempts WHERE token = $1 AND fault IS NULL', [token]);
}

/** The same for a build that an engine failed: it is tried until the database answers again. */
export function forgetWhenPossible(db: Db, token: string): void {
  const tryAgain = () => setTimeout(() => forgetWhenPossible(db, token), beatMs).unref();
  forgetAttempt(db, token).catch(tryAgain);
}

/** Removes every mark of a site's builds: the next one is the first of a new count. */
export async function forgetAttempts(tx: Db, siteId: string, target: BuildTarget): Promise<void> {
  await tx.query('DELETE FROM build_attempts WHERE site_id = $1 AND target = $2', [siteId, target]);
}

/** This worker stops, which is no fault of the builds that it has under way. */
export async function excuseAttempts(db: Db, worker: string): Promise<void> {
  await db.query('DELETE FROM build_attempts WHERE worker = $1 AND fault IS NULL', [worker]);
}

/** Counts a build that ran out of time, and remembers what it had finished. */
export async function countTimeout(db: Db, token: string, kept: KeptPages | null): Promise<void> {
  await db.query(
    `UPDATE build_attempts SET fault = 'timeout', kept_manifest_hash = $2, kept_trace_hash = $3 WHERE token = $1`,
    [token, kept?.manifestHash ?? null, kept?.traceHash ?? null],
  );
}

/** What the latest build that ran out of time had finished; null when not found. */
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

/** The faults of a site's builds since the last one that came to an end. */
export async function countFaults(db: Db, { siteId, target }: BuildOrder): Promise<Faults> {
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

/** Builds of the site on other workers that have not said how they ended. */
function selectOpen(db: Db, { siteId, target }: BuildOrder, worker: string): Promise<OpenAttempt[]> {
  return db.query<OpenAttempt>(
    `SELECT token, seen_at FROM build_attempts
     WHERE site_id = $1 AND target = $2 AND worker <> $3 AND fault IS NULL`,
    [siteId, target, worker],
  );
}

/**
 * Decides what became of earlier builds of a site before the next one begins, and counts those whose worker is gone, or that hang.
 * Where other workers may be alive it watches them for a while: one that the database did not hear before it was away is not gone.
 */
export async function judgeAttempts(
  db: Db,
  order: BuildOrder,
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
