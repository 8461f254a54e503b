import type { Config } from '../../core/config.ts';
import { chooseStores } from '../../core/object-stores.ts';
import { type EngineRecord, recordEngines } from '../../engines/record/record.ts';
import type { Database } from '../../engines/sql/database.ts';
import { migrate } from '../../engines/sql/migrate.ts';

/** Migrates the schema, and records the engines if an earlier release recorded none; returns the record. */
export async function ensureRecord(db: Database, config: Config): Promise<EngineRecord> {
  await migrate(db, config);
  return recordEngines(db, {
    actors: { engine: config.temporalAddress ? 'temporal' : 'embedded' },
    objects: { engine: chooseStores(config).objects?.engine ?? 'files' },
  });
}
