import type { EngineConfig } from '../core/config.ts';
import { openObjectStore } from '../engines/objects/store.ts';
import { checkEngines } from '../engines/record/agreement.ts';
import { recordEngines } from '../engines/record/record.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { migrate } from '../engines/sql/migrate.ts';
import { ensureFirstAdministrator } from '../features/users/index.ts';
import { explain } from './doctor/finding.ts';
import { CliError } from './run-command.ts';

/** Runs a request to an engine; throws one sentence that says which engine failed, why, and what to check. */
async function reach(subject: string, remedy: string, ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    throw new CliError(`${subject}: ${explain(error)}. ${remedy}`, { code: 'unavailable', cause: error });
  }
}

/**
 * Prepares the engines for this release: schema, the record of the engines, first administrator, bucket or folder. Safe
 * to run again and concurrently. Returns the migrations that ran. Throws a CliError `unavailable` that names the engine
 * and its setting when one cannot be used, and a ConfigError when the settings name other engines than are recorded.
 */
export async function prepareEngines(config: EngineConfig): Promise<string[]> {
  const db = openDatabase({ ...config, databaseQueryTimeoutMs: 0 });
  const { host } = new URL(config.databaseUrl);
  try {
    await reach(`The database at ${host}`, 'Check DATABASE_URL.', () => db.ping());
    const ran = await migrate(db, config);
    await recordEngines(db, config);
    await checkEngines(db, config);
    await ensureFirstAdministrator(db);
    const store = openObjectStore(config.objects, db);
    const check = config.objects.engine === 's3' ? 'Check the S3_ settings.' : 'Check the data folder and its disk.';
    await reach(`${store.place[0]!.toUpperCase()}${store.place.slice(1)}`, check, () => store.ensure());
    return ran;
  } finally {
    await db.close();
  }
}
