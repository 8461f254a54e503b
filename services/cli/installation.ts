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

/** An installation whose database is available, whether or not its service runs. */
export interface Installation {
  db: Database;
  /** The settings of its service: those of the running one, else the environment's. Engines may be missing. */
  config: Config;
  /**
   * `stopped`: this process holds the data folder. `unknown`: the database is elsewhere, and its other users cannot be
   * determined.
   */
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

/** Starts the database of a data folder for the duration of the work, unless the environment names another one. */
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
 * Runs work on an installation: the one in `--data DIR`, else the one whose database the environment names, else the
 * one in the default data folder. If it is stopped, its database is started for the duration of the work. Throws a
 * sentence if there is no installation.
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
