import type { EngineConfig } from '../core/config.ts';
import { openObjectStore } from '../engines/objects/store.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { migrate } from '../engines/sql/migrate.ts';
import { ensureFirstAdministrator } from '../features/users/service.ts';

/**
 * Makes the engines fit for this release: schema, first administrator, bucket. Safe to run again and from several processes.
 * Answers the migrations that ran.
 */
export async function prepareEngines(config: EngineConfig): Promise<string[]> {
  const db = openDatabase({ ...config, databaseQueryTimeoutMs: 0 });
  try {
    const ran = await migrate(db, config);
    await ensureFirstAdministrator(db);
    await openObjectStore(config.s3, db).ensureBucket();
    return ran;
  } finally {
    await db.close();
  }
}
