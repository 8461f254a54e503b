import type { Config, StoreSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { listStores } from '../../core/object-stores.ts';
import { countUncopied, sampleCopied, targetName } from '../../engines/objects/copy/progress.ts';
import { openKeyedStore } from '../../engines/objects/open.ts';
import { type ActorEngine, changeEngines, type EngineRecord, type ObjectEngine } from '../../engines/record/record.ts';
import type { Installation } from '../installation.ts';
import { CliError } from '../run-command.ts';
import { ensureRecord } from './ensure-record.ts';
import { listNextSteps } from './next-steps.ts';

export interface WantedEngines {
  actors?: ActorEngine | undefined;
  objects?: ObjectEngine | undefined;
}

export interface SetResult extends EngineRecord {
  changed: boolean;
  /**
   * Number of objects that are not known to be in the new store; reads fall back to the previous store while there are
   * any.
   */
  missing_objects: number;
  /** What must be done or set before the service starts again, as sentences. */
  next: string[];
}

const sampleSize = 20;

/** Throws while work is in progress on a database whose other users are unknown. */
async function requireIdle({ db, service }: Installation): Promise<void> {
  if (service === 'stopped') return;
  const rows = await db.query<{ name: string }>('SELECT name FROM leases WHERE expires_at > now() LIMIT 1');
  if (rows.length === 0) return;
  throw new CliError(
    `Something still works on the installation (${rows[0]!.name}): stop every gateway, worker and edge, and wait a minute.`,
  );
}

/** Counts the objects that a store lacks, from the record of copies and a sample of the store. */
async function countMissing(db: Db, engine: ObjectEngine, store: StoreSettings | undefined, bucket: string) {
  const target = targetName(engine === 's3' ? { engine, bucket } : { engine });
  const missing = await countUncopied(db, target);
  if (!store) return missing;
  const keyed = openKeyedStore(store);
  if (!(await keyed.ping())) return missing;
  let lost = 0;
  for (const key of await sampleCopied(db, target, sampleSize)) if ((await keyed.size(key)) === null) lost++;
  if (lost > 0) {
    throw new CliError(
      `${keyed.place} lacks objects that were copied to such a store before: is it another one? Run fieldstone objects copy again.`,
    );
  }
  return missing;
}

async function chooseFallback(db: Db, config: Config, before: EngineRecord, objects: ObjectEngine) {
  const unchanged = objects === before.objects;
  if (unchanged && before.fallback === null) return { fallback: null, missing: 0 };
  const { bucket, folder } = listStores(config);
  const missing = await countMissing(db, objects, objects === 's3' ? bucket : folder, config.s3.bucket);
  if (unchanged) return { fallback: before.fallback, missing };
  return { fallback: missing > 0 ? before.objects : null, missing };
}

/**
 * Records other engines for an installation whose service is stopped, and reports what is missing. Runs the migrations
 * first, since an installation of an earlier release has no record. Throws a CliError while the service runs. Source:
 * contract, "fieldstone engines set".
 */
export async function setEngines(installation: Installation, wanted: WantedEngines): Promise<SetResult> {
  const { db, config } = installation;
  if (installation.service === 'running') {
    throw new CliError(
      'The service is running: stop it first, so that it writes nothing to its present engines any more.',
    );
  }
  const before = await ensureRecord(db, config);
  await requireIdle(installation);
  const actors = wanted.actors ?? before.actors;
  const objects = wanted.objects ?? before.objects;
  const { fallback, missing } = await chooseFallback(db, config, before, objects);
  const after: EngineRecord = { actors, objects, fallback };
  const changed = actors !== before.actors || objects !== before.objects;
  if (changed) await changeEngines(db, after);
  return { ...after, changed, missing_objects: missing, next: listNextSteps(after, missing, installation) };
}
