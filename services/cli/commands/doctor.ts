import type { Command } from 'commander';
import type { EngineConfig } from '../../core/config.ts';
import { createLogger } from '../../core/log.ts';
import { command, printResult, toSentence } from '../run-command.ts';
import { loadCommandConfig } from '../settings.ts';

interface Finding {
  check: string;
  ok: boolean;
  /** What was found, or what to mend. */
  message: string;
}

interface Check {
  name: string;
  good: string;
  mend: string;
  run(): Promise<void>;
}

async function perform({ name, good, mend, run }: Check): Promise<Finding> {
  try {
    await run();
    return { check: name, ok: true, message: good };
  } catch (error) {
    return { check: name, ok: false, message: `${toSentence(error)} ${mend}` };
  }
}

async function checkSchema(config: EngineConfig): Promise<void> {
  const { openDatabase } = await import('../../engines/sql/database.ts');
  const { listMigrations } = await import('../../engines/sql/migrate.ts');
  const db = openDatabase(config);
  try {
    await db.ping();
    const done = new Set(
      (await db.query<{ name: string }>('SELECT name FROM schema_migrations')).map(({ name }) => name),
    );
    const waiting = (await listMigrations()).filter(({ name }) => !done.has(name));
    if (waiting.length > 0) throw new Error(`${waiting.length} migrations have not run.`);
  } finally {
    await db.close();
  }
}

async function checkWorkflows(config: EngineConfig): Promise<void> {
  const { createTemporalClient } = await import('../../engines/temporal/client.ts');
  const client = createTemporalClient(config, createLogger('doctor', 'silent'));
  try {
    await client.ping();
  } finally {
    await client.close();
  }
}

async function checkObjects(config: EngineConfig): Promise<void> {
  const { createMinioClient } = await import('../../engines/objects/client.ts');
  if (await createMinioClient(config.s3).client.bucketExists(config.s3.bucket)) return;
  throw new Error(`There is no bucket ${config.s3.bucket}.`);
}

function listChecks(config: EngineConfig): Check[] {
  return [
    {
      name: 'database',
      good: 'answers, and its schema is up to date',
      mend: 'Check DATABASE_URL, and run fieldstone migrate.',
      run: () => checkSchema(config),
    },
    {
      name: 'workflows',
      good: `Temporal answers at ${config.temporalAddress}`,
      mend: 'Check TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.',
      run: () => checkWorkflows(config),
    },
    {
      name: 'objects',
      good: `the bucket ${config.s3.bucket} is there`,
      mend: 'Check the S3_ settings, and run fieldstone migrate, which makes the bucket.',
      run: () => checkObjects(config),
    },
  ];
}

function describe(findings: Finding[]): string {
  return findings.map(({ check, ok, message }) => `${ok ? 'ok  ' : 'bad '} ${check}: ${message}`).join('\n');
}

async function examine(data: string | undefined): Promise<Finding[]> {
  let config: EngineConfig;
  try {
    config = loadCommandConfig(data);
  } catch (error) {
    return [{ check: 'settings', ok: false, message: toSentence(error) }];
  }
  const settings = { check: 'settings', ok: true, message: 'complete' };
  return [settings, ...(await Promise.all(listChecks(config).map(perform)))];
}

async function doctor(flags: { data?: string; json?: boolean }): Promise<void> {
  const findings = await examine(flags.data);
  printResult(findings, flags.json, describe);
  const bad = findings.filter(({ ok }) => !ok);
  if (bad.length > 0) throw new Error(`To be mended: ${bad.map(({ check }) => check).join(', ')}.`);
}

/** Adds `fieldstone doctor`. */
export function register(program: Command): void {
  program
    .command('doctor')
    .description('check the settings and the engines, and say what to mend')
    .option('--data <dir>', 'the data folder of the running service')
    .option('--json', 'print JSON')
    .action(command(doctor));
}
