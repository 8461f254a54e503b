import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, loadConfig } from '../core/config.ts';
import { type Database, openDatabase } from '../engines/sql/database.ts';
import { type DataFolder, DataFolderInUse, openDataFolder } from '../engines-local/data-folder.ts';
import { startLocalEngines } from '../engines-local/index.ts';
import { CliError } from './run-command.ts';
import { defaultDataDir, withoutEngines } from './settings.ts';
import type { Environment } from './up/environment.ts';
import { readRunSettings } from './up/run-settings.ts';

/** An installation whose database answers, whether or not its service runs. */
export interface Installation {
  db: Database;
  /** What the settings of its service say: those of the running one, else the environment's. Engines may be missing. */
  config: Config;
  /** `stopped`: this process holds the data folder. `unknown`: the database is elsewhere, and who uses it cannot be told. */
  service: 'running' | 'stopped' | 'unknown';
}

async function openInstallation(
  env: Environment,
  service: Installation['service'],
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const config = loadConfig(env);
  const db = openDatabase({ ...config, databaseUrl: config.databaseUrl!, databasePoolSize: 4 });
  try {
    await work({ db, config, service });
  } finally {
    await db.close();
  }
}

/** Starts the database of a data folder for as long as the work takes, unless the environment names another one. */
async function withFolder(
  folder: DataFolder,
  env: Environment,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const group = { onProgress: () => undefined, onEvent: () => undefined, signal: stop.signal };
  const engines = await startLocalEngines({ ...group, folder, env, temporal: false });
  try {
    await openInstallation({ ...env, ...engines.settings, FIELDSTONE_DATA_DIR: folder.path }, 'stopped', work);
  } finally {
    await engines.stop();
  }
}

async function tryFolder(directory: string): Promise<DataFolder | undefined> {
  try {
    return await openDataFolder(directory);
  } catch (error) {
    if (error instanceof DataFolderInUse) return undefined;
    throw error;
  }
}

/**
 * Runs work on an installation: the one in `--data DIR`, else the one whose database the environment names, else the one in the default
 * data folder. One that is stopped has its database started for as long as the work takes. Throws a sentence when there is none.
 */
export async function withInstallation(
  dataDir: string | undefined,
  environment: NodeJS.ProcessEnv,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const env = Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => !!entry[1]));
  const isElsewhere = loadConfig(env).databaseUrl !== undefined;
  if (dataDir === undefined && isElsewhere) return openInstallation(env, 'unknown', work);
  const directory = path.resolve(dataDir ?? defaultDataDir);
  if (!existsSync(path.join(directory, 'credentials.json'))) {
    const message = `There is no installation in ${directory}: name its data folder with --data, or set DATABASE_URL.`;
    throw new CliError(message, { code: 'not_found' });
  }
  const folder = await tryFolder(directory);
  if (folder) {
    try {
      return await withFolder(folder, env, work);
    } finally {
      folder.close();
    }
  }
  const run = readRunSettings(directory);
  if (!run) {
    const message = `The service on ${directory} is starting, or another command works on it; try again shortly.`;
    throw new CliError(message, { code: 'unavailable' });
  }
  return openInstallation({ ...withoutEngines(env), ...run.settings }, 'running', work);
}
