import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readRunSettings } from '../../services/cli/up/run-settings.ts';
import { type EngineConfig, loadConfig, requireEngines } from '../../services/core/config.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { endChild, untilReady } from './child.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

const program = path.join(import.meta.dirname, '..', '..', 'services', 'cli', 'fieldstone.js');
const startMs = 300_000;

/** An installation for one test, with its own engines: `fieldstone up` on a temporary folder. */
export interface Installation {
  origin: string;
  /** The process of `up`. */
  pid: number;
  edge: string;
  /** Its data folder. */
  data: string;
  /** Runs a command with `--json` and returns its output; throws with its `stderr`. */
  run(...args: string[]): Promise<Any>;
  /** Runs a command with other settings. */
  runWith(env: Record<string, string>, ...args: string[]): Promise<Any>;
  /** Returns the configuration to open its engines. */
  config(): EngineConfig;
  /** Kills a command this long after its start; returns false if it had exited by then. */
  kill(afterMs: number, ...args: string[]): Promise<boolean>;
  request(method: string, path: string, options: { key: string; body?: unknown; raw?: FormData }): Promise<Any>;
  /** Stops it; its data folder stays. */
  stop(): Promise<void>;
  /** Stops it and deletes all its data. */
  destroy(): Promise<void>;
}

export interface InstallationPorts {
  port: number;
  edgePort: number;
}

export const freshPorts = async (): Promise<InstallationPorts> => ({
  port: await findFreePort(),
  edgePort: await findFreePort(),
});
export const freshSecretKey = () => randomBytes(32).toString('base64');

/** Starts an installation, on a new folder unless one is named. */
export async function startInstallation(
  { port, edgePort }: InstallationPorts,
  settings: Record<string, string>,
  moreFlags: readonly string[] = [],
  data = mkdtempSync(path.join(tmpdir(), 'fieldstone-whole-')),
): Promise<Installation> {
  const own = { FIELDSTONE_RATE_LIMIT_IP: '0', FIELDSTONE_RATE_LIMIT_KEY: '0', NODE_OPTIONS: '', ...settings };
  const env = { ...process.env, ...own };
  const flags = ['--data', data, '--port', String(port), '--edge-port', String(edgePort), ...moreFlags];
  const service = spawn(process.execPath, [program, 'up', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  await untilReady(service, startMs);
  const origin = `http://127.0.0.1:${port}`;

  async function runWith(more: Record<string, string>, ...args: string[]): Promise<Any> {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--data', data, '--json'], {
      env: { ...env, ...more },
      maxBuffer: 1 << 26,
    });
    return JSON.parse(stdout);
  }

  return {
    origin,
    pid: service.pid!,
    edge: `http://127.0.0.1:${edgePort}`,
    data,
    run: (...args) => runWith({}, ...args),
    runWith,
    config: () => requireEngines(loadConfig(readRunSettings(data)!.settings)),
    async kill(afterMs, ...args) {
      const child = spawn(process.execPath, [program, ...args, '--data', data], { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      await Promise.race([sleep(afterMs), ended]);
      child.kill('SIGKILL');
      return (await ended)[1] === 'SIGKILL';
    },
    async request(method, at, { key, body, raw }) {
      const reply = await fetch(`${origin}/api/v1${at}`, {
        method,
        headers: { 'X-API-Key': key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        body: raw ?? (body === undefined ? null : JSON.stringify(body)),
      });
      return { status: reply.status, data: ((await reply.json()) as Any).data };
    },
    async stop() {
      await endChild(service);
    },
    async destroy() {
      await endChild(service);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
