import { ConfigError, type EngineConfig } from '../../core/config.ts';
import { createCipher } from '../../core/secrets.ts';
import { checkEngines } from '../../engines/record/agreement.ts';
import { type Database, databaseSubject, openDatabase } from '../../engines/sql/database.ts';
import { listMigrations } from '../../engines/sql/migrate.ts';
import { endpointSecrets } from '../../features/events/index.ts';
import { selectRetriedJobs } from '../../features/health/index.ts';
import { integrationSecrets } from '../../features/integrations/index.ts';
import { bad, examine, type Finding, good, note } from './finding.ts';

/**
 * Maximum clock difference: far below the tolerance of webhook timestamps, and scheduled items must be live within five
 * seconds.
 */
const maxSkewMs = 2000;

async function checkSchema(db: Database): Promise<Finding> {
  const rows = await db.query<{ name: string }>('SELECT name FROM schema_migrations');
  const done = new Set(rows.map(({ name }) => name));
  const waiting = (await listMigrations()).filter(({ name }) => !done.has(name));
  if (waiting.length === 0) return good('schema', 'up to date');
  return bad('schema', `${waiting.length} migrations have not run. Run fieldstone migrate.`);
}

async function checkClock(db: Database): Promise<Finding> {
  const startedAt = Date.now();
  const [row] = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const endedAt = Date.now();
  // the database read its clock at some time between request and response
  const databaseMs = row!.now.getTime();
  const skewMs = databaseMs < startedAt ? startedAt - databaseMs : Math.max(0, databaseMs - endedAt);
  if (skewMs <= maxSkewMs) return good('clock', 'agrees with the database');
  const seconds = (skewMs / 1000).toFixed(1);
  return bad(
    'clock',
    `This clock is ${seconds} seconds ${databaseMs < startedAt ? 'ahead of' : 'behind'} the database's. Set both by NTP.`,
  );
}

async function checkSecrets(db: Database, config: EngineConfig): Promise<Finding> {
  const cipher = createCipher(config.secretKeys);
  const counts = [
    await integrationSecrets.countUnreadable(db, cipher),
    await endpointSecrets.countUnreadable(db, cipher),
  ];
  const read = counts.reduce((sum, count) => sum + count.read, 0);
  const unreadable = counts.reduce((sum, count) => sum + count.unreadable, 0);
  if (unreadable === 0) return good('secret key', read === 0 ? 'is set' : 'opens the stored secrets');
  return bad(
    'secret key',
    `${unreadable} of ${read} stored secrets cannot be read. FIELDSTONE_SECRET_KEY must still list the key that they were sealed with.`,
  );
}

async function checkRecord(db: Database, config: EngineConfig): Promise<Finding> {
  try {
    const recorded = await checkEngines(db, config);
    if (recorded)
      return good('engines', `actors: ${config.actors.engine}, objects: ${config.objects.engine}, as recorded`);
    return bad('engines', 'Which engines the installation uses is not recorded. Run fieldstone migrate.');
  } catch (error) {
    if (error instanceof ConfigError) return bad('engines', error.message);
    throw error;
  }
}

/** Reports jobs that wait because an engine fails or refuses their builds, with the cause recorded in each. */
async function checkJobs(db: Database): Promise<Finding> {
  const rows = await selectRetriedJobs(db);
  if (rows.length === 0) return good('jobs', 'no job is being retried');
  const causes = rows.map(({ error, jobs }) => `${jobs} of them: ${error}`).join(' ');
  const level = rows.some(({ refused }) => refused > 0) ? bad : note;
  return level('jobs', `Some jobs are being retried because an engine failed their builds. ${causes}`);
}

/**
 * Checks the database and what only it knows: its schema, its engines, its jobs, the time, and whether stored secrets
 * can be decrypted.
 */
export async function checkDatabase(config: EngineConfig): Promise<Finding[]> {
  const db = openDatabase({ ...config, databasePoolSize: 1, databaseQueryTimeoutMs: 10_000 });
  const { host } = new URL(config.databaseUrl);
  const subject = `The database at ${host}`;
  try {
    const connection = await examine(
      'database',
      { subject, remedy: 'Check DATABASE_URL.', tls: databaseSubject },
      async () => {
        await db.ping();
        return good('database', `responds at ${host}`);
      },
    );
    if (connection.some(({ ok }) => !ok)) return connection;
    const context = { subject, remedy: 'Run fieldstone migrate.' };
    return [
      ...connection,
      ...(await examine('schema', context, () => checkSchema(db))),
      ...(await examine('engines', context, () => checkRecord(db, config))),
      ...(await examine('jobs', context, () => checkJobs(db))),
      ...(await examine('clock', context, () => checkClock(db))),
      ...(await examine('secret key', context, () => checkSecrets(db, config))),
    ];
  } finally {
    await db.close();
  }
}
