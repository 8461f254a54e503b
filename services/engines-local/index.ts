import { loadConfig } from '../core/config.ts';
import type { DataFolder } from './data-folder.ts';
import { findTemporal } from './find-temporal.ts';
import { choosePorts } from './ports.ts';
import { preparePostgres } from './postgres.ts';
import type { ReportProgress } from './progress.ts';
import type { ProcessEvent, ProcessSpec } from './supervise.ts';
import { superviseAll } from './supervise-all.ts';
import { prepareTemporal } from './temporal.ts';

export interface LocalEngines {
  /** DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE of the engines that were started. */
  settings: Record<string, string>;
  /** Ends the engines; the data folder stays open. */
  stop(): Promise<void>;
}

export interface LocalEnginesOptions {
  folder: DataFolder;
  /** An engine whose address is in here is not started. */
  env: Record<string, string | undefined>;
  /** Start a Temporal server too, unless its address is in `env`. */
  temporal: boolean;
  onProgress: ReportProgress;
  /** Told when an engine ends by itself, and when it is back (it is started again on the same port). */
  onEvent(event: ProcessEvent): void;
  /** Ends a start that is still under way. */
  signal: AbortSignal;
}

interface Prepared {
  spec: ProcessSpec;
  settings: Record<string, string>;
}

/** Which engines are to be started, and how each is prepared: installed, its data made, its settings known. */
async function planEngines({
  folder,
  env,
  temporal,
  onProgress,
}: LocalEnginesOptions): Promise<(() => Promise<Prepared>)[]> {
  const config = loadConfig(env);
  const { path: dataDir, credentials, marker } = folder;
  const ports = await choosePorts(dataDir, ['postgres', 'temporal']);
  // Nothing of this process's environment reaches the engines but the search path.
  const own = { ...marker, PATH: env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };
  const plans: (() => Promise<Prepared>)[] = [];
  if (!config.databaseUrl) plans.push(() => preparePostgres(dataDir, ports.postgres, credentials, own));
  if (temporal && !config.temporalAddress) {
    plans.push(async () => prepareTemporal(dataDir, await findTemporal(env, onProgress), ports.temporal, own));
  }
  return plans;
}

/**
 * Starts PostgreSQL, and Temporal where it is wanted, on loopback, with their data in the folder, and waits until each answers.
 * When one cannot be started the other is stopped and its sentence is thrown.
 */
export async function startLocalEngines(options: LocalEnginesOptions): Promise<LocalEngines> {
  const { folder, onEvent, signal } = options;
  const settings: Record<string, string> = {};
  const plans = (await planEngines(options)).map((prepare) => async () => {
    const prepared = await prepare();
    Object.assign(settings, prepared.settings);
    return prepared.spec;
  });
  const group = await superviseAll(plans, { dataDir: folder.path, onEvent, signal });
  return { settings, stop: group.stop };
}
