import path from 'node:path';
import { loadConfig, requireEngines } from '../../core/config.ts';
import { clearWriting } from '../../engines/objects/files/clear-writing.ts';
import { openDataFolder } from '../../engines-local/data-folder.ts';
import { startLocalEngines } from '../../engines-local/index.ts';
import { superviseAll } from '../../engines-local/supervise-all.ts';
import { noteOfOwnDisk } from '../own-disk-note.ts';
import { runChild } from '../run-child.ts';
import { CliError, toSentence } from '../run-command.ts';
import { noteOfSharedHost } from '../shared-host-note.ts';
import { refuseEarlierMinio } from './earlier-minio.ts';
import {
  type Environment,
  pickRunSettings,
  planEnvironment,
  requireDistinctPorts,
  settlePorts,
  type WantedPorts,
} from './environment.ts';
import { serveOps } from './ops-server.ts';
import { createOutput, type FirstSignIn, type Output, type UpResult } from './output.ts';
import { localOrigin, planRole, roleNames } from './roles.ts';
import { removeRunSettings, writeRunSettings } from './run-settings.ts';
import { findSilentEngine } from './silent-engine.ts';
import { Stopped, watchForStop, whenAborted } from './stop-signal.ts';

export interface UpOptions extends WantedPorts {
  dataDir: string;
  demo: boolean;
  /** Whether the actors run on a Temporal server of this machine. */
  temporal: boolean;
  json: boolean;
}

/**
 * Creates the demo through the running service. A failure is only reported: the service and its other sites still work.
 */
async function makeDemo(
  dataDir: string,
  environment: Environment,
  output: Output,
  signal: AbortSignal,
): Promise<UpResult['demo']> {
  const { ensureDemo } = await import('./demo.ts');
  const apiUrl = localOrigin(environment['FIELDSTONE_HOST'], Number(environment['FIELDSTONE_PORT']));
  try {
    return await ensureDemo(dataDir, environment, { apiUrl, log: output.note, signal });
  } catch (error) {
    signal.throwIfAborted();
    output.note(`The demo site could not be created: ${toSentence(error)}`);
    return undefined;
  }
}

/** Creates a sign-in link for the first administrator, whom the migration created. A failure is only reported. */
async function makeFirstSignIn(
  environment: Environment,
  output: Output,
  signal: AbortSignal,
): Promise<FirstSignIn | undefined> {
  try {
    const made = await runChild<FirstSignIn>(['users', 'link', '--no-mail'], environment, signal);
    return { email: made.email, link: made.link };
  } catch (error) {
    signal.throwIfAborted();
    output.note(`No sign-in link could be made: ${toSentence(error)}`);
    return undefined;
  }
}

/** Starts everything in order and keeps it running until the signal; then stops it in the opposite order. */
async function startAll(
  options: UpOptions,
  env: NodeJS.ProcessEnv,
  output: Output,
  { signal, cleanup }: { signal: AbortSignal; cleanup: AsyncDisposableStack },
): Promise<void> {
  requireDistinctPorts(options);
  refuseEarlierMinio(path.resolve(options.dataDir), env, output.note);
  const folder = await openDataFolder(path.resolve(options.dataDir));
  cleanup.defer(() => folder.close());
  if (folder.orphansEnded > 0) output.note(`Ended ${folder.orphansEnded} processes that a killed run had left behind.`);
  const isHostSet = env['FIELDSTONE_HOST'] || env['FIELDSTONE_HOST_FILE'];
  const host = isHostSet ? loadConfig(env).host : '127.0.0.1';
  const ports = await settlePorts(folder, options, host);
  const group = { dataDir: folder.path, onEvent: (event: { detail: string }) => output.note(event.detail), signal };

  const silent = await findSilentEngine(loadConfig(env));
  if (silent) throw new CliError(silent, { code: 'unavailable' });
  output.note('Starting the engines.');
  const engines = await startLocalEngines({
    ...group,
    folder,
    env,
    temporal: options.temporal,
    onProgress: output.progress,
  });
  cleanup.defer(() => engines.stop());
  const environment = planEnvironment(env, folder, engines.settings, { host, ports });
  const config = requireEngines(loadConfig(environment));
  for (const store of [config.objects, config.backups]) if (store.engine === 'files') await clearWriting(store.folder);
  const { migrations } = await runChild<{ migrations: string[] }>(['migrate'], environment, signal);
  if (migrations.length > 0) output.note(`Ran ${migrations.length} migrations.`);

  output.note('Starting gateway, worker and edge.');
  const roles = await superviseAll(
    roleNames.map((role) => async () => planRole(role, environment, ports.roleOps[role])),
    group,
  );
  cleanup.defer(() => roles.stop());
  const opsServer = await serveOps(ports.roleOps, host, ports.ops);
  cleanup.defer(() => void opsServer.close());
  const opsUrl = localOrigin(host, ports.ops);
  writeRunSettings(folder.path, { pid: process.pid, opsUrl, settings: pickRunSettings(environment) });
  cleanup.defer(() => removeRunSettings(folder.path));

  if (config.backups.engine === 'files') output.note(noteOfOwnDisk(config.backups.folder));
  const sharedHost = noteOfSharedHost(config);
  if (sharedHost) output.note(sharedHost);
  const demo = options.demo ? await makeDemo(folder.path, environment, output, signal) : undefined;
  const signIn = output.isTerminal ? await makeFirstSignIn(environment, output, signal) : undefined;
  output.ready(
    { url: config.url, edge_url: config.edgeUrl, ops_url: opsUrl, data: folder.path, ...(demo ? { demo } : {}) },
    signIn,
  );
  await whenAborted(signal);
  output.note('Stopping.');
}

/**
 * Runs `fieldstone up`: engines, migrations and every role on this machine, in the foreground, until Ctrl-C or SIGTERM.
 * Throws a sentence when something cannot be started, after stopping everything that was started. Source: contract
 * "Processes, settings and CLI".
 */
export async function runUp(options: UpOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const signal = watchForStop(env);
  const cleanup = new AsyncDisposableStack();
  try {
    await startAll(options, env, createOutput(options.json), { signal, cleanup });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    await cleanup.disposeAsync();
  }
}
