import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Credentials } from './credentials.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { findPostgres } from './postgres-binaries.ts';
import { removeStalePid } from './postgres-pid.ts';
import type { ProcessSpec } from './supervise.ts';

const databaseName = 'fieldstone';
const locale = { LC_ALL: 'C', TZ: 'UTC' };

/**
 * Returns the argument that names PostgreSQL's data folder. Another user could not resolve a path through an
 * inaccessible folder such as /root; but the folder is its working directory, set before the user changes, and
 * `/proc/self/cwd` refers to it directly.
 */
function dataFolderArgument(directory: string, identity: Identity | undefined): string {
  return identity && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  default_transaction_isolation: 'serializable',
  max_connections: '200',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Small transactions: compiling queries costs more than it saves, and page-level predicate locks would abort too many
  // of them.
  jit: 'off',
  max_pred_locks_per_page: '8',
  max_pred_locks_per_transaction: '256',
  timezone: 'UTC',
  // Serialization failures are retried by the program and need no log line; statements may contain users' text.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

async function createCluster(
  native: string,
  directory: string,
  credentials: Credentials,
  identity: Identity | undefined,
) {
  const unfinished = `${directory}.new`;
  const passwordDir = mkdtempSync(path.join(tmpdir(), 'fieldstone-'));
  const passwordFile = path.join(passwordDir, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, `${credentials.postgresPassword}\n`, { mode: 0o600 });
  if (identity) for (const file of [unfinished, passwordDir, passwordFile]) chownSync(file, identity.uid, identity.gid);
  const args = [
    `--pgdata=${dataFolderArgument(unfinished, identity)}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  const options = {
    cwd: unfinished,
    env: { ...locale, PATH: '/usr/bin:/bin' },
    uid: identity?.uid,
    gid: identity?.gid,
  };
  try {
    await promisify(execFile)(path.join(native, 'bin', 'initdb'), args, options);
    renameSync(unfinished, directory);
  } finally {
    rmSync(passwordDir, { recursive: true, force: true });
  }
}

/** Throws if the data belongs to another major version, which cannot open it. */
function checkVersion(native: string, directory: string): void {
  const data = readFileSync(path.join(directory, 'PG_VERSION'), 'utf8').trim();
  const share = readFileSync(path.join(native, 'share', 'postgresql', 'postgres.bki'), 'utf8').slice(0, 100);
  const program = /PostgreSQL (\d+)/.exec(share)?.[1];
  if (program && program !== data) {
    throw new Error(
      `${directory} was written by PostgreSQL ${data}, but ${program} is installed: install the earlier release again.`,
    );
  }
}

async function withAdministrator<T>(
  port: number,
  credentials: Credentials,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: credentials.postgresPassword,
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => {}); // the failing query reports the error
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the program's own user, not a superuser, and its database, unless they exist. */
async function ensureDatabase(port: number, credentials: Credentials): Promise<void> {
  await withAdministrator(port, credentials, async (client) => {
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [databaseName]);
    if (role.rowCount === 0) {
      const password = client.escapeLiteral(credentials.databasePassword);
      await client.query(`CREATE ROLE ${databaseName} LOGIN PASSWORD ${password}`);
    }
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName} OWNER ${databaseName}`);
  });
}

/**
 * Prepares PostgreSQL in `<dataDir>/postgres` (created at the first start) and returns how to run it. Throws a sentence
 * when it is not installed, cannot be run, or the data is another version's.
 */
export async function preparePostgres(
  dataDir: string,
  port: number,
  credentials: Credentials,
  env: Record<string, string>,
) {
  const directory = path.join(dataDir, 'postgres');
  const identity = chooseIdentity(directory);
  const native = findPostgres(identity);
  if (!existsSync(directory)) await createCluster(native, directory, credentials, identity);
  checkVersion(native, directory);
  removeStalePid(directory);
  const settings = Object.entries({ ...serverSettings, port: String(port) }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const spec: ProcessSpec = {
    name: 'postgres',
    command: path.join(native, 'bin', 'postgres'),
    args: ['-D', dataFolderArgument(directory, identity), ...settings],
    cwd: directory,
    env: { ...locale, ...env },
    identity,
    stopSignal: 'SIGINT', // "fast": ends sessions and writes all data to disk
    stopTimeoutMs: 30_000,
    readyTimeoutMs: 60_000,
    isReady: () => ensureDatabase(port, credentials).then(() => true),
  };
  const url = `postgres://${databaseName}:${credentials.databasePassword}@127.0.0.1:${port}/${databaseName}`;
  return { spec, settings: { DATABASE_URL: url } };
}
