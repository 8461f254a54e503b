import { randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';

export interface LeaseOptions {
  /** The work is due again so long after it was done; 0 = at once. */
  everyMs?: number;
  leaseMs?: number;
  /** Ends the work too. */
  signal?: AbortSignal | undefined;
}

const defaultLeaseMs = 60_000;
/** After a failure the work is tried again so much later, or at its usual time if that is sooner. */
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

/** Its holder is nobody then, so that a renewal that is still under way finds nothing to renew. */
async function release(db: Db, name: string, holder: string, dueInMs: number): Promise<void> {
  await db.query(
    `UPDATE leases SET holder = gen_random_uuid(), expires_at = now(), due_at = now() + $3::INT8 * INTERVAL '1 millisecond' WHERE name = $1 AND holder = $2`,
    [name, holder, dueInMs],
  );
}

/**
 * Does work that only one process may do at a time (advisory locks are a no-op on CockroachDB). Null when another process is
 * at it, or it is not due yet. The lease is renewed while the work runs; `signal` tells it that the lease is lost or that
 * the caller wants it to end. The work must be harmless to run twice all the same: a process may sleep through its lease.
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
      () => undefined, // the work itself meets a database that is away; an expired lease shows at the next renewal
    );
  }, leaseMs / 3);
  let result: T;
  try {
    result = await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } catch (error) {
    // what went wrong is the work's error; a lease that cannot be given back runs out
    await release(db, name, holder, Math.min(everyMs, retryMs)).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
  await release(db, name, holder, everyMs);
  return result;
}
