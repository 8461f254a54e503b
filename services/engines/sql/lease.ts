import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../core/db.ts';

// A lease is a row that names work which only one process may do at a time (advisory locks are a no-op on CockroachDB).
// It has a holder until it expires, and a time from which its work is due.

export interface LeaseOptions {
  /** The work is due again this long after it ended; 0 = at once. */
  everyMs?: number;
  leaseMs?: number;
  /** Aborts the work too. */
  signal?: AbortSignal | undefined;
}

export interface HoldOptions {
  /** Called once for each lease that is waited for. */
  onWait(name: string): void;
  signal: AbortSignal;
}

const defaultLeaseMs = 60_000;
/** After a failure the work is retried after this time, or at its usual time if that is sooner. */
const retryMs = 60_000;
const pollMs = 500;

/** Acquires a lease that no process holds and whose work is due. */
async function acquireDue(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, now() + $3::INT8 * INTERVAL '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at <= now() AND leases.due_at <= now()
     RETURNING name`,
    [name, holder, leaseMs],
  );
  return rows.length > 0;
}

/** Acquires a lease that no other process holds, whenever its work is due. */
async function acquireFree(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, now() + $3::INT8 * INTERVAL '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at <= now() OR leases.holder = excluded.holder
     RETURNING name`,
    [name, holder, leaseMs],
  );
  return rows.length > 0;
}

async function renew(db: Db, names: readonly string[], holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `UPDATE leases SET expires_at = now() + $3::INT8 * INTERVAL '1 millisecond'
     WHERE name = ANY($1::TEXT[]) AND holder = $2 RETURNING name`,
    [names, holder, leaseMs],
  );
  return rows.length === names.length;
}

/** Clears the holder, so that a concurrent renewal finds nothing to renew. Due times stay. */
async function release(db: Db, names: readonly string[], holder: string): Promise<void> {
  await db.query(
    'UPDATE leases SET holder = gen_random_uuid(), expires_at = now() WHERE name = ANY($1::TEXT[]) AND holder = $2',
    [names, holder],
  );
}

/** Clears the holder like `release`; the work is due again after `dueInMs`. */
async function releaseUntil(db: Db, name: string, holder: string, dueInMs: number): Promise<void> {
  await db.query(
    `UPDATE leases SET holder = gen_random_uuid(), expires_at = now(), due_at = now() + $3::INT8 * INTERVAL '1 millisecond' WHERE name = $1 AND holder = $2`,
    [name, holder, dueInMs],
  );
}

/** Renews the leases in `held` until `stop` is called; aborts `lost` when one of them is lost. */
function keepRenewing(db: Db, held: readonly string[], holder: string, leaseMs: number) {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew(db, held, holder, leaseMs).then(
      (all) => {
        if (!all) lost.abort(new Error('The leases of this work were lost; start it again.'));
      },
      // the work itself fails if the database is unavailable; the next renewal reports an expired lease
      () => undefined,
    );
  }, leaseMs / 3);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}

/**
 * Runs work that only one process may do at a time. Returns null when another process is doing it, or it is not due
 * yet. The lease is renewed while the work runs; `signal` is aborted when the lease is lost or the caller wants the
 * work to end. The work must still be harmless to run twice, because a process may be suspended beyond its lease.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  { everyMs = 0, leaseMs = defaultLeaseMs, signal }: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const holder = randomUUID();
  if (!(await acquireDue(db, name, holder, leaseMs))) return null;
  const { lost, stop } = keepRenewing(db, [name], holder, leaseMs);
  let result: T;
  try {
    result = await work(signal ? AbortSignal.any([signal, lost]) : lost);
  } catch (error) {
    // report the work's own error; a lease that cannot be released expires
    await releaseUntil(db, name, holder, Math.min(everyMs, retryMs)).catch(() => undefined);
    throw error;
  } finally {
    stop();
  }
  await releaseUntil(db, name, holder, everyMs);
  return result;
}

/**
 * Runs work while no process runs any of the named pieces of work, after waiting for those that are running. They stay
 * due at their usual times. The leases are renewed, and expire when this process dies; `signal` is aborted when they
 * are lost or the caller wants the work to end. Always name them in the same order.
 */
export async function holdLeases<T>(
  db: Db,
  names: readonly string[],
  { onWait, signal }: HoldOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const held: string[] = [];
  const { lost, stop } = keepRenewing(db, held, holder, defaultLeaseMs);
  try {
    for (const name of names) {
      let isWaitReported = false;
      while (!(await acquireFree(db, name, holder, defaultLeaseMs))) {
        if (!isWaitReported) onWait(name);
        isWaitReported = true;
        await sleep(pollMs, undefined, { signal });
      }
      held.push(name);
    }
    return await work(AbortSignal.any([signal, lost]));
  } finally {
    stop();
    await release(db, names, holder).catch(() => undefined); // they expire by themselves
  }
}
