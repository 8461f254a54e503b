import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { prepareEngines } from '../../services/cli/prepare-engines.ts';
import { planRole, type RoleName } from '../../services/cli/up/roles.ts';
import { loadConfig, requireEngines } from '../../services/core/config.ts';
import { loadBundle } from '../../services/dashboard/index.ts';
import { openDataFolder } from '../../services/engines-local/data-folder.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { superviseAll } from '../../services/engines-local/supervise-all.ts';
import { readStackEngines, type StackEngines, startStackEngines } from './stack-engines.ts';

/** Describes the running stack to the tests; written to a file because jest's setup runs in another process. */
export interface StackInfo {
  engines: StackEngines;
  dataDir: string;
  /** Environment of a role: engines, secret key, origins; enough to start another one or to open the engines. */
  env: Record<string, string>;
  gateways: string[];
  edges: string[];
  ops: Record<string, string>;
  /** `host:port` pairs on loopback that the guarded downloader may reach: for tests' own servers. */
  allowedPorts: number[];
  sqlLog: string;
}

export interface Stack extends StackInfo {
  stop(): Promise<void>;
}

/** FIELDSTONE_TEST_RUN keeps several stacks apart. */
export const runFolder = path.join(import.meta.dirname, '..', '.run', process.env.FIELDSTONE_TEST_RUN ?? 'default');
/** The text of every SQL statement that the roles of the last run sent. */
export const statementsFile = path.join(runFolder, 'statements.jsonl');
export const stackFile = path.join(runFolder, 'stack.json');

const allowedPortCount = 12;
const second = { gateway: 'FIELDSTONE_PORT', edge: 'FIELDSTONE_EDGE_PORT', worker: '' } as const;

async function ports(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => findFreePort()));
}

/** Only one worker can run the actors of an embedded stack. */
const workerCount: Record<StackEngines, number> = { embedded: 1, cluster: 2 };

/**
 * Starts real engines in a new folder, and on them two gateways, two edges and the number of workers that the engines
 * allow. In the last process of each role every transaction first fails with SQLSTATE 40001, so that no outcome may
 * depend on a transaction running only once. The environment chooses the engines: see `readStackEngines` and
 * `startStackEngines`.
 */
export async function startStack(extraEnv: Record<string, string> = {}): Promise<Stack> {
  mkdirSync(runFolder, { recursive: true });
  const dataDir = mkdtempSync(path.join(runFolder, 'data-'));
  const sqlLog = path.join(dataDir, 'statements.jsonl');
  appendFileSync(sqlLog, '');
  const stop = new AbortController();
  const folder = await openDataFolder(dataDir);
  const note = (text: string) => appendFileSync(path.join(dataDir, 'harness.log'), `${text}\n`);
  const group = {
    dataDir: folder.path,
    onEvent: (event: { detail: string }) => note(event.detail),
    signal: stop.signal,
  };
  const kind = readStackEngines();
  const report = (progress: unknown) => note(JSON.stringify(progress));
  // the first gateway would make it while a test waits for a page
  await loadBundle();
  const engines = await startStackEngines(kind, { ...group, folder, onProgress: report });
  const [gateway1, gateway2, edge1, edge2, ...rest] = await ports(10 + allowedPortCount);
  const allowedPorts = rest.splice(0, allowedPortCount);
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    ...folder.marker,
    ...engines.settings,
    FIELDSTONE_SECRET_KEY: folder.credentials.secretKey,
    FIELDSTONE_HOST: '127.0.0.1',
    FIELDSTONE_URL: `http://127.0.0.1:${gateway1}`,
    FIELDSTONE_EDGE_URL: `http://127.0.0.1:${edge1}`,
    FIELDSTONE_RATE_LIMIT_IP: '0',
    FIELDSTONE_RATE_LIMIT_KEY: '0',
    FIELDSTONE_RATE_LIMIT_DASHBOARD: '0',
    FIELDSTONE_RATE_LIMIT_SIGN_IN_IP: '0',
    FIELDSTONE_RATE_LIMIT_SIGN_IN_ACCOUNT: '0',
    FIELDSTONE_RATE_LIMIT_TOKEN_IP: '0',
    FIELDSTONE_RATE_LIMIT_TOKEN_ACCOUNT: '0',
    FIELDSTONE_RATE_LIMIT_AGENT_REGISTRATION: '0',
    FIELDSTONE_RATE_LIMIT_MCP: '0',
    FIELDSTONE_REBUILD_QUIET_MS: '400',
    FIELDSTONE_REBUILD_MAX_MS: '3000',
    FIELDSTONE_RETRY_INITIAL_MS: '200',
    FIELDSTONE_EVENT_RETRY_SECONDS: '1,1',
    FIELDSTONE_EVENT_TIMEOUT_MS: '3000',
    FIELDSTONE_FETCH_ALLOW: allowedPorts.map((port) => `127.0.0.1:${port}`).join(','),
    FIELDSTONE_COLLECT_EVERY_MINUTES: '0',
    // so that builds of 40 pages are divided
    FIELDSTONE_SHARD_PAGES: '10',
    FIELDSTONE_LOG_LEVEL: 'info',
    FIELDSTONE_TEST_SQL_LOG: sqlLog,
    FIELDSTONE_TEST_GUARD_TRANSACTIONS: 'true',
    NODE_OPTIONS: '',
    ...extraEnv,
  };
  await prepareEngines(requireEngines(loadConfig(env)));
  const ops: Record<string, string> = {};
  const counts: Record<RoleName, number> = { gateway: 2, worker: workerCount[kind], edge: 2 };
  const plan = (role: RoleName, number: number, port?: number) => async () => {
    const opsPort = rest.shift()!;
    const name = `${role}-${number}`;
    ops[name] = `http://127.0.0.1:${opsPort}`;
    const own: Record<string, string> = { ...env };
    if (port && second[role]) own[second[role]] = String(port);
    if (number === counts[role]) own.FIELDSTONE_TEST_INJECT_40001 ??= 'true';
    return { ...planRole(role, own, opsPort), name };
  };
  const roles = await superviseAll(
    [
      plan('gateway', 1, gateway1),
      plan('gateway', 2, gateway2),
      ...Array.from({ length: counts.worker }, (_, index) => plan('worker', index + 1)),
      plan('edge', 1, edge1),
      plan('edge', 2, edge2),
    ],
    group,
  );
  return {
    engines: kind,
    dataDir,
    env,
    gateways: [gateway1, gateway2].map((port) => `http://127.0.0.1:${port}`),
    edges: [edge1, edge2].map((port) => `http://127.0.0.1:${port}`),
    ops,
    allowedPorts,
    sqlLog,
    async stop() {
      await roles.stop();
      await engines.stop();
      folder.close();
      copyFileSync(sqlLog, statementsFile);
      stop.abort();
      if (!process.env.FIELDSTONE_TEST_KEEP) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
