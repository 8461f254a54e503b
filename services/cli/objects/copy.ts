import { type Config, loadConfig, type StoreSettings } from '../../core/config.ts';
import { listStores } from '../../core/object-stores.ts';
import { type CopyReport, copyObjects } from '../../engines/objects/copy/copy-objects.ts';
import { forgetCopies, targetName } from '../../engines/objects/copy/progress.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { openKeyedStore } from '../../engines/objects/open.ts';
import { clearFallback, type ObjectEngine, readEngines } from '../../engines/record/record.ts';
import { holdLeases } from '../../engines/sql/lease.ts';
import { collectionLeases } from '../../features/collection/index.ts';
import { ensureRecord } from '../engines/ensure-record.ts';
import type { Installation } from '../installation.ts';
import { CliError } from '../run-command.ts';

export interface CopyResult extends CopyReport {
  from: ObjectEngine;
  to: ObjectEngine;
  /** The installation's object engine, and its fallback for reads, after this copy. */
  objects_engine: ObjectEngine;
  fallback: ObjectEngine | null;
}

interface CopyRequest {
  from: ObjectEngine;
  to: ObjectEngine;
}

/** Returns the store of an engine from the settings of the service, else from those of this command. */
function findStore(engine: ObjectEngine, service: Config, own: Config): StoreSettings {
  const [ofService, ofCommand] = [listStores(service), listStores(own)];
  const found =
    engine === 's3'
      ? (ofService.bucket ?? ofCommand.bucket ?? ofService.fallbackBucket ?? ofCommand.fallbackBucket)
      : (ofService.folder ?? ofCommand.folder);
  if (found) return found;
  const what =
    engine === 's3'
      ? 'Set S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY of the store for this command.'
      : 'Name the data folder with the files by --data.';
  throw new CliError(what, { code: 'usage' });
}

/** Opens both stores: the target is created if it does not exist; the source must exist. */
async function openStores(from: StoreSettings, to: StoreSettings): Promise<{ from: KeyedStore; to: KeyedStore }> {
  const stores = { from: openKeyedStore(from), to: openKeyedStore(to) };
  if (!(await stores.from.ping())) {
    throw new CliError(`There is nothing to copy: ${stores.from.place} does not exist.`, { code: 'not_found' });
  }
  await stores.to.ensure();
  return stores;
}

/**
 * Runs one pass of `fieldstone objects copy`: copies every object that the target lacks, and verifies it by the hash of
 * every blob, while the service runs. Collection waits. If the installation has been switched to the target and the
 * pass copied everything, reads no longer fall back to the source. Source: contract, "fieldstone objects copy".
 */
export async function copyStore(
  { db, config, service }: Installation,
  { from, to }: CopyRequest,
  own: NodeJS.ProcessEnv,
  { note, progress, signal }: { note(line: string): void; progress(report: CopyReport): void; signal: AbortSignal },
): Promise<CopyResult> {
  if (from === to) throw new CliError('--from and --to are the same store.', { code: 'usage' });
  const command = loadConfig(own);
  const settings = { from: findStore(from, config, command), to: findStore(to, config, command) };
  const stores = { ...(await openStores(settings.from, settings.to)), target: targetName(settings.to) };
  const before = service === 'stopped' ? await ensureRecord(db, config) : await readEngines(db);
  if (!before)
    throw new CliError('The engines of this installation are not recorded yet: run fieldstone migrate first.');
  const onWait = (name: string) => note(`Waiting until ${name} is done, or its lease is over.`);
  const report = await holdLeases(db, ['objects-copy', ...collectionLeases], { onWait, signal }, (held) =>
    copyObjects(db, stores, { signal: held, onProgress: progress }),
  );
  // objects created since the pass began are in the target already, because the service was using it
  const wasSwitched = before.objects === to && before.fallback === from;
  if (wasSwitched && report.lost === 0 && (await clearFallback(db, from, to))) await forgetCopies(db, stores.target);
  const after = (await readEngines(db))!;
  return { from, to, ...report, objects_engine: after.objects, fallback: after.fallback };
}
