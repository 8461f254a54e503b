import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { loadConfig } from '../../services/core/config.ts';
import { type ObjectStore, openObjectStore } from '../../services/engines/objects/store.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { migrate } from '../../services/engines/sql/migrate.ts';
import { createOwnDatabase, type TemplateServer, templateSetting } from './external-database.ts';

export interface OwnDatabase {
  db: Database;
  /** Its DATABASE_URL, for tests that open more connections. */
  url: string;
  folder: string;
  /** A store of files in the folder. */
  objects: ObjectStore;
  close(): Promise<void>;
}

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

/** Opens an object store of files in a folder. Each store has a cache of its own, also for the same folder. */
export async function openOwnObjects({ db, folder }: Pick<OwnDatabase, 'db' | 'folder'>): Promise<ObjectStore> {
  const objects = openObjectStore({ engine: 'files', folder: path.join(folder, 'objects'), minFreeBytes: 0 }, db);
  await objects.ensure();
  return objects;
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
    objects: await openOwnObjects({ db, folder }),
    async close() {
      await db.close();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a database and an object store for the tests of a file, and deletes them after the last one. */
export function provideOwnDatabase(): Omit<OwnDatabase, 'close'> {
  let opened: OwnDatabase | undefined;
  beforeAll(async () => {
    opened = await openOwnDatabase();
  }, 120_000);
  afterAll(() => opened?.close());
  return {
    get db() {
      return opened!.db;
    },
    get url() {
      return opened!.url;
    },
    get folder() {
      return opened!.folder;
    },
    get objects() {
      return opened!.objects;
    },
  };
}
