import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { migrate } from '../../services/engines/sql/migrate.ts';
import { openDataFolder } from '../../services/engines-local/data-folder.ts';
import { startLocalEngines } from '../../services/engines-local/index.ts';

export interface OwnDatabase {
  db: Database;
  /** A folder of its own, for objects. */
  folder: string;
  close(): Promise<void>;
}

/** A PostgreSQL of its own with the schema of today, for tests of what is decided in SQL. Takes some seconds to start. */
export async function openOwnDatabase(): Promise<OwnDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-sql-'));
  const data = await openDataFolder(path.join(folder, 'data'));
  const engines = await startLocalEngines({
    folder: data,
    env: { PATH: process.env['PATH'] },
    temporal: false,
    onProgress: () => {},
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  const db = openDatabase({ ...loadConfig({}), databaseUrl: engines.settings['DATABASE_URL']! });
  await migrate(db);
  return {
    db,
    folder,
    async close() {
      await db.close();
      await engines.stop();
      data.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
