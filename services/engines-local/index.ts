import { loadConfig } from '../core/config.ts';
import { findBinary } from './binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { minioBinary, temporalBinary } from './engine-binary.ts';
import { openLogFile } from './log-files.ts';
import { prepareMinio } from './minio.ts';
import { choosePorts } from './ports.ts';
import { preparePostgres } from './postgres.ts';
import type { ReportProgress } from './progress.ts';
import { type ProcessEvent, type ProcessSpec, type SupervisedProcess, superviseProcess } from './supervise.ts';
import { prepareTemporal } from './temporal.ts';

export interface LocalEngines {
  /** DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and S3_… of the engines that were started. */
  settings: Record<string, string>;
  /** Ends the engines, each in order; the data folder stays open. */
  stop(): Promise<void>;
}

export interface LocalEnginesOptions {
  folder: DataFolder;
  /** An engine whose address is in here is not started. */
  env: Record<string, string | undefined>;
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

/** Nothing of this process's environment reaches the engines but the search path and the folder's marker. */
function engineEnvironment(options: LocalEnginesOptions): Record<string, string> {
  return { ...options.folder.marker, PATH: options.env['PATH'] ?? '/usr/bin:/bin', LANG: 'C.UTF-8' };
}

async function planEngines(options: LocalEnginesOptions): Promise<(() => Promise<Prepared>)[]> {
  const { folder, env, onProgress } = options;
  const config = loadConfig(env);
  const ports = await choosePorts(folder.path, ['postgres', 'temporal', 'minio', 'minioConsole']);
  const own = engineEnvironment(options);
  const plans: (() => Promise<Prepared>)[] = [];
  if (!config.databaseUrl) plans.push(() => preparePostgres(folder.path, ports.postgres, folder.credentials, own));
  if (!config.temporalAddress) {
    plans.push(async () =>
      prepareTemporal(folder.path, await findBinary(temporalBinary, env, onProgress), ports.temporal, own),
    );
  }
  if (!config.s3.endpoint) {
    plans.push(async () =>
      prepareMinio(folder.path, await findBinary(minioBinary, env, onProgress), ports, folder.credentials, own),
    );
  }
  return plans;
}

/**
 * Starts PostgreSQL, Temporal and MinIO on loopback, all at once, with their data in the folder, and waits until each answers.
 * When one cannot be started the others are stopped and its sentence is thrown.
 */
export async function startLocalEngines(options: LocalEnginesOptions): Promise<LocalEngines> {
  const { folder, onEvent } = options;
  const giveUp = new AbortController();
  const signal = AbortSignal.any([options.signal, giveUp.signal]);
  const running: SupervisedProcess[] = [];
  const settings: Record<string, string> = {};

  async function start(prepare: () => Promise<Prepared>): Promise<void> {
    const prepared = await prepare();
    signal.throwIfAborted();
    const log = openLogFile(folder.path, prepared.spec.name);
    running.push(await superviseProcess(prepared.spec, { log, onEvent, signal }));
    Object.assign(settings, prepared.settings);
  }

  async function stop(): Promise<void> {
    await Promise.all(running.map((engine) => engine.stop()));
  }

  const starts = (await planEngines(options)).map((prepare) =>
    start(prepare).catch((error) => {
      giveUp.abort(error);
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(starts)).find((result) => result.status === 'rejected');
  if (failed) {
    await stop();
    throw giveUp.signal.reason ?? failed.reason;
  }
  return { settings, stop };
}
