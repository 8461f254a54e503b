import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../core/db.ts';

const leaseMs = 60_000;
const pollMs = 500;

async function acquire(db: Db, name: string, holder: string): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO leases (name, holder, expires_at) VALUES ($1, $2, now() + $3::INT8 * INTERVAL '1 millisecond')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
     WHERE leases.expires_at <= now() OR leases.holder = excluded.holder
     RETURNING name`,
    [name, holder, leaseMs],
  );
  return rows.length > 0;
}

async function renew(db: Db, names: readonly string[], holder: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE leases SET expires_at = now() + $3::INT8 * INTERVAL '1 millisecond'
     WHERE name = ANY($1::TEXT[]) AND holder = $2 RETURNING name`,
    [names, holder, leaseMs],
  );
  return rows.length === names.length;
}

/** Due dates stay: the blocked work runs at its usual time. */
async function release(db: Db, names: readonly string[], holder: string): Promise<void> {
  await db.query(
    'UPDATE leases SET holder = gen_random_uuid(), expires_at = now() WHERE name = ANY($1::TEXT[]) AND holder = $2',
    [names, holder],
  );
}

export interface HoldOptions {
  /** Called once for each lease that is waited for. */
  onWait(name: string): void;
  signal: AbortSignal;
}

/**
 * Runs work while no process runs any of the named pieces of work, after waiting for those that are running. The leases
 * are renewed, and expire when this process dies; `signal` is aborted when they are lost or the caller wants the work
 * to end. Always name them in the same order.
 */
export async function holdLeases<T>(
  db: Db,
  names: readonly string[],
  { onWait, signal }: HoldOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const lost = new AbortController();
  const held: string[] = [];
  const timer = setInterval(() => {
    renew(db, held, holder).then(
      (all) => {
        if (!all) lost.abort(new Error('The leases of this work were lost; start it again.'));
      },
      () => undefined, // the work itself fails if the database is unavailable; the next renewal reports expired leases
    );
  }, leaseMs / 3);
  try {
    for (const name of names) {
      for (let isWaitReported = false; !(await acquire(db, name, holder)); isWaitReported = true) {
        if (!isWaitReported) onWait(name);
        await sleep(pollMs, undefined, { signal });
      }
      held.push(name);
    }
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(timer);
    await release(db, names, holder).catch(() => undefined); // they expire by themselves
  }
}
