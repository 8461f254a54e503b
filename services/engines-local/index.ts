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
  /** DATABASE_URL, TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE of the started engines. */
  settings: Record<string, string>;
  /** Stops the engines; the data folder stays open. */
  stop(): Promise<void>;
}

export interface LocalEnginesOptions {
  folder: DataFolder;
  /** Engines that are configured in here are not started. */
  env: Record<string, string | undefined>;
  /** Whether to start a Temporal server too, unless `env` names one. */
  temporal: boolean;
  onProgress: ReportProgress;
  /** Called when an engine ends unexpectedly, and when it has been restarted (on the same port). */
  onEvent(event: ProcessEvent): void;
  /** Aborts a start in progress. */
  signal: AbortSignal;
}

interface Prepared {
  spec: ProcessSpec;
  settings: Record<string, string>;
}

/** Returns the engines to start, and how each is prepared: installed, with data and settings. */
async function planEngines({
  folder,
  env,
  temporal,
  onProgress,
}: LocalEnginesOptions): Promise<(() => Promise<Prepared>)[]> {
  const config = loadConfig(env);
  const { path: dataDir, credentials, marker } = folder;
  const ports = await choosePorts(dataDir, ['postgres', 'temporal']);
  // The engines get nothing of this process's environment but the search path.
  const own = { ...marker, PATH: env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };
  const plans: (() => Promise<Prepared>)[] = [];
  if (!config.databaseUrl) plans.push(() => preparePostgres(dataDir, ports.postgres, credentials, own));
  if (temporal && !config.temporalAddress) {
    plans.push(async () => prepareTemporal(dataDir, await findTemporal(env, onProgress), ports.temporal, own));
  }
  return plans;
}

/**
 * Starts PostgreSQL, and Temporal if requested, on loopback, with their data in the folder, and waits until each is
 * ready. When one cannot be started, the other is stopped and its error is thrown.
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
