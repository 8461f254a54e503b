import path from 'node:path';
import { type EngineConfig, loadConfig, requireEngines } from '../core/config.ts';
import { CliError } from './run-command.ts';
import { isRunning, readRunSettings } from './up/run-settings.ts';

export const defaultDataDir = '.fieldstone';

const engineSettings = /^(DATABASE|TEMPORAL|S3|BACKUP_S3|FALLBACK_S3)_|^FIELDSTONE_DATA_DIR/;

/** Returns an environment without engine settings: a running service has its own. */
export function withoutEngines<Value>(env: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !engineSettings.test(name)));
}

/**
 * Loads the settings of a command that needs the engines: those of the service running on `--data DIR` if given; else
 * the environment's if it names a database; else those of the service on `.fieldstone`. Throws a sentence if there are
 * none.
 */
export function loadCommandConfig(dataDir: string | undefined, env: NodeJS.ProcessEnv = process.env): EngineConfig {
  if (dataDir === undefined && loadConfig(env).databaseUrl) return requireEngines(loadConfig(env));
  const directory = path.resolve(dataDir ?? defaultDataDir);
  const run = readRunSettings(directory);
  if (!run || !isRunning(run)) {
    throw new CliError(
      `No service is running on ${directory}: start it with fieldstone up --data ${directory}, or set DATABASE_URL and the other engines.`,
      { code: 'unavailable' },
    );
  }
  return requireEngines(loadConfig({ ...withoutEngines(env), ...run.settings }));
}
