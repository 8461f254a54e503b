import { ConfigError, type EngineConfig } from '../../core/config.ts';
import { createCipher } from '../../core/secrets.ts';
import { checkEngines } from '../../engines/record/agreement.ts';
import { type Database, databaseSubject, openDatabase } from '../../engines/sql/database.ts';
import { listMigrations } from '../../engines/sql/migrate.ts';
import { endpointSecrets } from '../../features/events/index.ts';
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
  const there = row!.now.getTime();
  const skewMs = there < startedAt ? startedAt - there : Math.max(0, there - endedAt);
  if (skewMs <= maxSkewMs) return good('clock', 'agrees with the database');
  const seconds = (skewMs / 1000).toFixed(1);
  return bad(
    'clock',
    `This clock is ${seconds} seconds ${there < startedAt ? 'ahead of' : 'behind'} the database's. Set both by NTP.`,
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

const reasonsShown = 3;

/** Reports jobs that wait because an engine fails or refuses their builds, with the cause recorded in each. */
async function checkJobs(db: Database): Promise<Finding> {
  const rows = await db.query<{ error: string; jobs: number; refused: number }>(
    `SELECT error, count(*) AS jobs, count(refused_as) AS refused FROM jobs
     WHERE status IN ('queued', 'running') AND error IS NOT NULL GROUP BY error ORDER BY count(*) DESC LIMIT $1`,
    [reasonsShown],
  );
  if (rows.length === 0) return good('jobs', 'none is retried');
  const told = rows.map(({ error, jobs }) => `${jobs} of them: ${error}`).join(' ');
  const tell = rows.some(({ refused }) => refused > 0) ? bad : note;
  return tell('jobs', `Some are retried because an engine failed their builds. ${told}`);
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
    const answers = await examine(
      'database',
      { subject, mend: 'Check DATABASE_URL.', tls: databaseSubject },
      async () => {
        await db.ping();
        return good('database', `answers at ${host}`);
      },
    );
    if (answers.some(({ ok }) => !ok)) return answers;
    const told = { subject, mend: 'Run fieldstone migrate.' };
    return [
      ...answers,
      ...(await examine('schema', told, () => checkSchema(db))),
      ...(await examine('engines', told, () => checkRecord(db, config))),
      ...(await examine('jobs', told, () => checkJobs(db))),
      ...(await examine('clock', told, () => checkClock(db))),
      ...(await examine('secret key', told, () => checkSecrets(db, config))),
    ];
  } finally {
    await db.close();
  }
}
