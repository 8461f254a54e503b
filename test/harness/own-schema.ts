import { randomUUID } from 'node:crypto';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { stack, stackConfig, stackDatabase } from './api.ts';

export interface OwnSchema {
  /** The stack's settings, with the schema in `DATABASE_URL`. */
  env: Record<string, string>;
  /** The caller closes it. */
  db: Database;
}

/** Creates an empty schema in the stack's database, which no process of the stack uses. */
export async function makeEmptySchema(): Promise<OwnSchema> {
  const name = `own${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await stackDatabase().query(`CREATE SCHEMA ${name}`);
  const database = new URL(stackConfig().databaseUrl);
  database.searchParams.set('options', `-c default_transaction_isolation=serializable -c search_path=${name}`);
  const env = { ...stack.env, NODE_OPTIONS: '', DATABASE_URL: database.href };
  return { env, db: openDatabase({ ...requireEngines(loadConfig(env)), sqlLogFile: undefined }) };
}
