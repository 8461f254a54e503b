import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ProcessSpec } from './supervise.ts';

const namespace = 'default';

async function describesNamespace(binary: string, address: string, env: Record<string, string>): Promise<boolean> {
  const args = [
    'operator',
    'namespace',
    'describe',
    '--address',
    address,
    '--namespace',
    namespace,
    '--command-timeout',
    '5s',
  ];
  await promisify(execFile)(binary, args, { env, timeout: 10_000 });
  return true;
}

/** Prepares the Temporal server with its database in `<dataDir>/temporal` and answers how to run it. */
export function prepareTemporal(dataDir: string, binary: string, port: number, env: Record<string, string>) {
  const directory = path.join(dataDir, 'temporal');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const address = `127.0.0.1:${port}`;
  // A home of its own: the program would read a developer's settings for other servers there.
  const serverEnv = { ...env, HOME: directory };
  const spec: ProcessSpec = {
    name: 'temporal',
    command: binary,
    args: [
      ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--namespace', namespace, '--db-filename', path.join(directory, 'temporal.db')],
      ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=1'],
      ...['--log-level', 'warn', '--log-format', 'json'],
    ],
    cwd: directory,
    env: serverEnv,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 15_000,
    readyTimeoutMs: 60_000,
    isReady: () => describesNamespace(binary, address, { HOME: directory }),
  };
  return { spec, settings: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } };
}
