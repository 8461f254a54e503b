import type { Config } from '../../core/config.ts';
import { chooseStores } from '../../core/object-stores.ts';
import { type EngineRecord, recordEngines } from '../../engines/record/record.ts';
import type { Database } from '../../engines/sql/database.ts';
import { migrate } from '../../engines/sql/migrate.ts';

/** Brings the schema up to date, and records the engines where a release before recorded none; answers the record. */
export async function ensureRecord(db: Database, config: Config): Promise<EngineRecord> {
  await migrate(db, config);
  return recordEngines(db, {
    actors: { engine: config.temporalAddress ? 'temporal' : 'embedded' },
    objects: { engine: chooseStores(config).objects?.engine ?? 'files' },
  });
}
