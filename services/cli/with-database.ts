import type { EngineConfig } from '../core/config.ts';
import type { Cipher } from '../core/secrets.ts';
import { createCipher } from '../core/secrets.ts';
import { type Database, openDatabase } from '../engines/sql/database.ts';
import { loadCommandConfig } from './settings.ts';

export interface CommandContext {
  config: EngineConfig;
  db: Database;
  cipher: Cipher;
}

/** Runs a command's work against the database of the running service (`--data`) or of the environment, and closes it. */
export async function withDatabase<T>(
  dataDir: string | undefined,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const config = { ...loadCommandConfig(dataDir), databasePoolSize: 2 };
  const db = openDatabase(config);
  try {
    return await work({ config, db, cipher: createCipher(config.secretKeys) });
  } finally {
    await db.close();
  }
}
