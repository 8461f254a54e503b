import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../services/core/config.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { migrate } from '../../services/engines/sql/migrate.ts';
import { openDataFolder } from '../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../services/engines-local/index.ts';
import { type TemplateServer, templateSetting } from './external-database.ts';

/**
 * Runs once per run of the project `service`: starts one PostgreSQL with one migrated database, which `openOwnDatabase`
 * copies for each test file. With DATABASE_URL nothing is started: each file migrates a new database on that server.
 * Returns a function that ends it.
 */
export async function startTemplateServer(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL) return async () => undefined;
  const parent = mkdtempSync(path.join(tmpdir(), 'fieldstone-service-'));
  const folder = await openDataFolder(path.join(parent, 'data'));
  const engines = await startLocalEngines({
    folder,
    env: { PATH: process.env['PATH'] },
    temporal: false,
    onProgress: () => {},
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  const template = engines.settings['DATABASE_URL']!;
  const administrator = new URL(template);
  administrator.username = 'postgres';
  administrator.password = folder.credentials.postgresPassword;
  administrator.pathname = '/postgres';
  const client = new pg.Client({ connectionString: administrator.href });
  await client.connect();
  // no test of this project simulates a power failure
  await client.query('ALTER ROLE fieldstone SET synchronous_commit = off');
  await client.end();
  const db = openDatabase({ ...loadConfig({}), databaseUrl: template });
  await migrate(db);
  await db.close();
  const server: TemplateServer = { template, administrator: administrator.href };
  process.env[templateSetting] = JSON.stringify(server);
  return async () => {
    await engines.stop();
    folder.close();
    rmSync(parent, { recursive: true, force: true });
  };
}

export default async function setup(): Promise<void> {
  (globalThis as { stopTemplateServer?: () => Promise<void> }).stopTemplateServer = await startTemplateServer();
}
