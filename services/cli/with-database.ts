import type { EngineConfig } from '../core/config.ts';
import { createLogger } from '../core/log.ts';
import { type Cipher, createCipher } from '../core/secrets.ts';
import { createEdgeNotifier, type EdgeNotifier } from '../engines/edges/notifier.ts';
import { checkEngines } from '../engines/record/agreement.ts';
import { type Database, openDatabase } from '../engines/sql/database.ts';
import { selectSiteBySlug } from '../features/sites/index.ts';
import { CliError } from './run-command.ts';
import { loadCommandConfig } from './settings.ts';

export interface CommandContext {
  config: EngineConfig;
  db: Database;
  cipher: Cipher;
  /** Logs nothing. */
  edges: EdgeNotifier;
}

/** Runs a command's work on the database of the running service (`--data`) or of the environment, and closes it. */
export async function withDatabase<T>(
  dataDir: string | undefined,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const config = { ...loadCommandConfig(dataDir), databasePoolSize: 2 };
  const db = openDatabase(config);
  try {
    await checkEngines(db, config);
    const { secretKeys } = config;
    const edges = createEdgeNotifier({ db, secretKeys, log: createLogger('cli', 'silent') });
    return await work({ config, db, cipher: createCipher(secretKeys), edges });
  } finally {
    await db.close();
  }
}

/** Returns the site of a slug. Throws a CliError `not_found` if the site does not exist. */
export async function requireSite({ db }: Pick<CommandContext, 'db'>, slug: string) {
  const site = await selectSiteBySlug(db, slug);
  if (!site) throw new CliError(`There is no site ${slug}.`, { code: 'not_found' });
  return site;
}
