import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { prepareEngines } from '../../services/cli/prepare-engines.ts';
import { type RoleName, roleArguments } from '../../services/cli/up/roles.ts';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { eventually, stack, stackConfig, stackDatabase } from './api.ts';
import { endChild } from './child.ts';
import { registerNamespace } from './namespace.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into log lines of every shape
export type LogLine = any;

export interface OwnService {
  env: Record<string, string>;
  gateway: string;
  ops: Record<RoleName, string>;
  /** An admin key for every site. */
  key: string;
  /** The log lines of the roles so far. */
  lines: Record<RoleName, string[]>;
  /** Returns the log lines of a role, parsed. */
  logs(role: RoleName): LogLine[];
  /** Stops the roles in order and waits for their exit. */
  stop(): Promise<void>;
}

/** Three processes start at once, on a machine that may be busy. */
const readyMs = 150_000;

/** Returns settings of separate engines, except for the database: on the stack's servers, or in a folder. */
async function separateEngines(name: string): Promise<Record<string, string>> {
  if (stack.engines === 'embedded') return { FIELDSTONE_DATA_DIR: mkdtempSync(path.join(stack.dataDir, `${name}-`)) };
  await registerNamespace(stack.env.TEMPORAL_ADDRESS!, name);
  return { TEMPORAL_NAMESPACE: name, S3_BUCKET: name };
}

/**
 * Starts a separate gateway, worker and edge on the stack's engines, with their own schema, actors and objects, so that
 * no other process can do their work.
 */
export async function startOwnService(extraEnv: Record<string, string> = {}): Promise<OwnService> {
  const name = `own${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await stackDatabase().query(`CREATE SCHEMA ${name}`);
  const database = new URL(stackConfig().databaseUrl);
  database.searchParams.set('options', `-c default_transaction_isolation=serializable -c search_path=${name}`);
  const [port, edgePort, ...opsPorts] = await Promise.all(Array.from({ length: 5 }, () => findFreePort()));
  const env: Record<string, string> = {
    ...stack.env,
    DATABASE_URL: database.href,
    ...(await separateEngines(name)),
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_EDGE_PORT: String(edgePort),
    FIELDSTONE_URL: `http://127.0.0.1:${port}`,
    FIELDSTONE_EDGE_URL: `http://127.0.0.1:${edgePort}`,
    ...extraEnv,
  };
  const config = { ...requireEngines(loadConfig(env)), sqlLogFile: undefined };
  await prepareEngines(config);
  const db = openDatabase({ ...config, databasePoolSize: 1 });
  const { key } = await createKey(db, { name: 'own', scopes: ['admin'], sites: ['*'] });
  await db.close();

  const children: ChildProcess[] = [];
  const lines: OwnService['lines'] = { gateway: [], worker: [], edge: [] };
  const ops = {} as OwnService['ops'];
  const roles: RoleName[] = ['gateway', 'worker', 'edge'];
  await Promise.all(
    roles.map(async (role, index) => {
      const opsPort = opsPorts[index]!;
      ops[role] = `http://127.0.0.1:${opsPort}`;
      const child = spawn(process.execPath, roleArguments(role), {
        env: { ...env, FIELDSTONE_OPS_PORT: String(opsPort) },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      children.push(child);
      createInterface(child.stderr!).on('line', (line) => lines[role].push(line));
      const isReady = () =>
        fetch(`${ops[role]}/readyz`).then(
          (reply) => reply.ok,
          () => false,
        );
      await eventually(`${role} is ready`, isReady, readyMs).catch((error: Error) => {
        throw new Error(`${error.message}\n${lines[role].slice(-5).join('\n')}`, { cause: error });
      });
    }),
  ).catch(async (error: unknown) => {
    await Promise.all(children.map((child) => endChild(child)));
    throw error;
  });
  return {
    env,
    ops,
    key,
    lines,
    gateway: `http://127.0.0.1:${port}`,
    logs: (role) => lines[role].filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)),
    async stop() {
      await Promise.all(children.map((child) => endChild(child)));
    },
  };
}
