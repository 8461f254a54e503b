import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';
import { isUniqueViolation } from './errors.ts';

const migrationsFolder = path.join(import.meta.dirname, 'migrations');
const cockroachFolder = path.join(import.meta.dirname, 'migrations-cockroach');
/** The prefix of their names in the bookkeeping table. */
const cockroachPrefix = 'cockroach/';
const defaultLeaseSeconds = 60;
const pollMs = 250;

/** Advisory locks are a no-op on CockroachDB (rule 7), so a row with an expiry decides which process migrates. */
const acquireLease = `
  INSERT INTO schema_lease (id, holder, expires_at) VALUES (1, $1, now() + $2::INT8 * INTERVAL '1 second')
  ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at
  WHERE schema_lease.holder = excluded.holder OR schema_lease.expires_at < now()
  RETURNING holder`;

/** Only renews the lease: a renewal that still runs when the lease is released must not acquire it again. */
const renewLease = `UPDATE schema_lease SET expires_at = now() + $2::INT8 * INTERVAL '1 second' WHERE id = 1 AND holder = $1`;

async function createBookkeeping(db: Database): Promise<void> {
  const statements = [
    'CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())',
    'CREATE TABLE IF NOT EXISTS schema_lease (id INT8 PRIMARY KEY, holder TEXT NOT NULL, expires_at TIMESTAMPTZ NOT NULL)',
  ];
  for (const sql of statements) {
    try {
      await db.query(sql);
    } catch (error) {
      // two replicas created it concurrently: PostgreSQL reports a violation in its catalogue, and the table exists
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

interface Migration {
  name: string;
  sql: string;
}

async function readFolder(folder: string, prefix = ''): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: `${prefix}${name}`,
      sql: (await readFile(path.join(folder, name), 'utf8')).trim(),
    })),
  );
}

/** Returns the migrations of this build, ordered by name; one statement per file. */
export const listMigrations = (): Promise<Migration[]> => readFolder(migrationsFolder);

/**
 * Returns the migrations for CockroachDB only, which run only on request: they make the same tables faster there, and
 * change nothing else.
 */
export const listCockroachMigrations = (): Promise<Migration[]> => readFolder(cockroachFolder, cockroachPrefix);

async function isCockroach(db: Database): Promise<boolean> {
  const [row] = await db.query<{ version: string }>('SELECT version() AS version');
  return row!.version.startsWith('CockroachDB');
}

/**
 * Renews the lease while a long statement runs (an index of a large table), so that no other process takes it. Returns
 * a function that stops the renewal.
 */
function keepLease(renew: () => Promise<unknown>, leaseSeconds: number): () => void {
  // the renewal before the next statement reports a failure
  const timer = setInterval(() => void renew().catch(() => undefined), (leaseSeconds * 1000) / 4);
  return () => clearInterval(timer);
}

/**
 * Migrates the schema and returns the names of the migrations that it ran. Safe when several replicas start
 * concurrently: one holds the lease, the others wait and then find nothing to do. One statement per migration, without
 * a transaction (rule 17), each safe to run again. With `cockroachTuning`, and on CockroachDB only, its own migrations
 * follow.
 */
export async function migrate(
  db: Database,
  { cockroachTuning = false, leaseSeconds = defaultLeaseSeconds } = {},
): Promise<string[]> {
  await createBookkeeping(db);
  const holder = randomUUID();
  const acquire = () => db.query(acquireLease, [holder, leaseSeconds]);
  while ((await acquire()).length === 0) await sleep(pollMs);
  const stopKeeping = keepLease(() => db.query(renewLease, [holder, leaseSeconds]), leaseSeconds);
  try {
    const done = new Set(
      (await db.query<{ name: string }>('SELECT name FROM schema_migrations')).map((row) => row.name),
    );
    const tuning = cockroachTuning && (await isCockroach(db)) ? await listCockroachMigrations() : [];
    const ran: string[] = [];
    for (const { name, sql } of [...(await listMigrations()), ...tuning]) {
      if (done.has(name)) continue;
      if ((await acquire()).length === 0)
        throw new Error('Another process has acquired the migration lease; start again.');
      await db.query(sql);
      await db.query('INSERT INTO schema_migrations (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [name]);
      ran.push(name);
    }
    return ran;
  } finally {
    stopKeeping();
    await db.query('DELETE FROM schema_lease WHERE id = 1 AND holder = $1', [holder]);
  }
}
