import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually } from './api.ts';
import { endChild } from './child.ts';
import { runs } from './programs.ts';

export interface Upstream {
  /** `host:port` of every replica; they have the same operations port, as pods do. */
  addresses: string[];
  opsPort: number;
}

export interface Balancer {
  /** One origin for each upstream, in their order. */
  origins: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Returns whether Caddy is installed; `npm test` installs Debian's where it can. */
export const hasCaddy = (): boolean => runs(['caddy', 'version']);

/**
 * Sends each request to the next replica that is ready, as a Service behind an ingress does. A request that was not
 * sent (connection refused) goes to another replica; only GET is ever sent twice.
 */
function siteBlock(port: number, { addresses, opsPort }: Upstream): string {
  return `http://127.0.0.1:${port} {
  bind 127.0.0.1
  reverse_proxy ${addresses.join(' ')} {
    lb_policy round_robin
    lb_try_duration 20s
    lb_try_interval 100ms
    health_uri /readyz
    health_port ${opsPort}
    health_interval 300ms
    health_timeout 5s
    trusted_proxies 127.0.0.0/8
  }
}
`;
}

/** Runs Caddy with this Caddyfile, in a folder of its own. It may not listen yet. */
export function runCaddy(caddyfile: string): { [Symbol.asyncDispose](): Promise<void> } {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-caddy-'));
  const file = path.join(folder, 'Caddyfile');
  writeFileSync(file, caddyfile);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  return {
    async [Symbol.asyncDispose]() {
      await endChild(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Caddy in front of the replicas of some roles. */
export async function startCaddy(upstreams: Upstream[]): Promise<Balancer> {
  const ports = await Promise.all(upstreams.map(() => findFreePort()));
  const blocks = upstreams.map((upstream, index) => siteBlock(ports[index]!, upstream));
  const caddy = runCaddy(`{\n  admin off\n  auto_https off\n  grace_period 1s\n}\n${blocks.join('')}`);
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  await eventually('Caddy leads to every role', async () => {
    const replies = await Promise.all(origins.map((origin) => fetch(`${origin}/healthz`).catch(() => undefined)));
    await Promise.all(replies.map((reply) => reply?.body?.cancel()));
    return replies.every((reply) => reply?.ok);
  });
  return { origins, [Symbol.asyncDispose]: () => caddy[Symbol.asyncDispose]() };
}
