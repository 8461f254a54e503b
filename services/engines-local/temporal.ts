import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { askGrpcHealth } from './grpc-health.ts';
import type { ProcessSpec } from './supervise.ts';
import type { TemporalProgram } from './temporal-program.ts';

const namespace = 'default';
/** The service whose health is checked. */
const service = 'temporal.api.workflowservice.v1.WorkflowService';
const callTimeoutMs = 2000;

/**
 * The file in which each program keeps its state. Neither program migrates the tables of another version's file, so the
 * server's file name contains the version. A new file loses nothing: actors are started again from SQL.
 */
const storeFiles: Record<TemporalProgram['kind'], string> = { cli: 'temporal.db', server: 'server-1.30.db' };

function argumentsOf({ kind }: TemporalProgram, port: number, store: string): string[] {
  if (kind === 'server') return ['--port', String(port), '--db-file', store, '--namespace', namespace];
  return [
    ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)],
    ...['--namespace', namespace, '--db-filename', store],
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=1'],
    ...['--log-level', 'warn', '--log-format', 'json'],
  ];
}

/** Returns whether the frontend accepts calls; the namespace is created before. Rejects while nothing listens. */
async function isServing(address: string): Promise<boolean> {
  const { isServing } = await askGrpcHealth(
    { origin: `http://${address}`, service },
    AbortSignal.timeout(callTimeoutMs),
  );
  return isServing;
}

/** Prepares the Temporal server with its store in `<dataDir>/temporal` and returns how to run it. */
export function prepareTemporal(dataDir: string, program: TemporalProgram, port: number, env: Record<string, string>) {
  const directory = path.join(dataDir, 'temporal');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const address = `127.0.0.1:${port}`;
  const spec: ProcessSpec = {
    name: 'temporal',
    command: program.file,
    args: argumentsOf(program, port, path.join(directory, storeFiles[program.kind])),
    cwd: directory,
    // A home folder of its own: otherwise the command line would read a developer's settings for other servers.
    env: { ...env, HOME: directory },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 15_000,
    readyTimeoutMs: 60_000,
    isReady: () => isServing(address),
  };
  return { spec, settings: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
}
