import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { migrate } from '../../services/engines/sql/migrate.ts';
import { createOwnDatabase } from './external-database.ts';

export interface OwnDatabase {
  db: Database;
  /** Its DATABASE_URL, for tests that open more connections. */
  url: string;
  /** A folder of its own, for objects. */
  folder: string;
  close(): Promise<void>;
}

/** Passed from the set-up of the project `service` to its workers (test/harness/service-setup.ts). */
export interface TemplateServer {
  /** DATABASE_URL of the migrated database, which has no connections. */
  template: string;
  /** The same server, as its administrator. */
  administrator: string;
}

export const templateSetting = 'FIELDSTONE_TEST_TEMPLATE';

async function createDatabase(): Promise<Awaited<ReturnType<typeof createOwnDatabase>>> {
  const server = process.env[templateSetting];
  if (server) {
    const { template, administrator } = JSON.parse(server) as TemplateServer;
    const { pathname, username, password } = new URL(template);
    const copy = await createOwnDatabase(administrator, `TEMPLATE ${pathname.slice(1)} OWNER ${username}`);
    const url = new URL(copy.url);
    Object.assign(url, { username, password });
    return { ...copy, url: url.href };
  }
  const created = await createOwnDatabase(process.env['DATABASE_URL']!);
  const db = openDatabase({ ...loadConfig(), databaseUrl: created.url });
  await migrate(db).finally(() => db.close());
  return created;
}

/** Creates a database with the current schema, for tests of rules in SQL. For the project `service` only. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const { url, drop } = await createDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), `fieldstone-sql-${randomUUID().slice(0, 8)}-`));
  const db = openDatabase({ ...loadConfig(), databaseUrl: url, guardTransactions: true });
  return {
    db,
    url,
    folder,
    async close() {
      await db.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
