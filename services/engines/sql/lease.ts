import { randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';

export interface LeaseOptions {
  /** The work is due again this long after it ended; 0 = at once. */
  everyMs?: number;
  leaseMs?: number;
  /** Aborts the work too. */
  signal?: AbortSignal | undefined;
}

const defaultLeaseMs = 60_000;
/** After a failure the work is retried after this time, or at its usual time if that is sooner. */
const retryMs = 60_000;

async function acquire(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, now() + $3::INT8 * INTERVAL '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at <= now() AND leases.due_at <= now()
     RETURNING name`,
    [name, holder, leaseMs],
  );
  return rows.length > 0;
}

async function renew(db: Db, name: string, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.query(
    `UPDATE leases SET expires_at = now() + $3::INT8 * INTERVAL '1 millisecond' WHERE name = $1 AND holder = $2 RETURNING name`,
    [name, holder, leaseMs],
  );
  return rows.length > 0;
}

/** Clears the holder, so that a concurrent renewal finds nothing to renew. */
async function release(db: Db, name: string, holder: string, dueInMs: number): Promise<void> {
  await db.query(
    `UPDATE leases SET holder = gen_random_uuid(), expires_at = now(), due_at = now() + $3::INT8 * INTERVAL '1 millisecond' WHERE name = $1 AND holder = $2`,
    [name, holder, dueInMs],
  );
}

/**
 * Runs work that only one process may do at a time (advisory locks are a no-op on CockroachDB). Returns null when
 * another process is doing it, or it is not due yet. The lease is renewed while the work runs; `signal` is aborted when
 * the lease is lost or the caller wants the work to end. The work must still be harmless to run twice, because a
 * process may be suspended beyond its lease.
 */
export async function withLease<T>(
  db: Db,
  name: string,
  { everyMs = 0, leaseMs = defaultLeaseMs, signal }: LeaseOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const holder = randomUUID();
  if (!(await acquire(db, name, holder, leaseMs))) return null;
  const lost = new AbortController();
  const timer = setInterval(() => {
    renew(db, name, holder, leaseMs).then(
      (held) => {
        if (!held) lost.abort();
      },
      // the work itself fails if the database is unavailable; the next renewal reports an expired lease
      () => undefined,
    );
  }, leaseMs / 3);
  let result: T;
  try {
    result = await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } catch (error) {
    // report the work's own error; a lease that cannot be released expires
    await release(db, name, holder, Math.min(everyMs, retryMs)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
  await release(db, name, holder, everyMs);
  return result;
}
