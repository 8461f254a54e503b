import { type ChildProcess, spawn } from 'node:child_process';
import { planRole, type RoleName } from '../../services/cli/up/roles.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually, stack } from './api.ts';
import type { Upstream } from './caddy.ts';
import { endChild } from './child.ts';

export interface Replica {
  name: string;
  /** Its own origin, bypassing the balancer. */
  url: string;
  isReady(): Promise<boolean>;
  /** Starts it, and resolves when it is ready. */
  start(): Promise<void>;
  /** Ends it and returns its exit code or signal. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

export interface ReplicaSet extends Upstream {
  replicas: Replica[];
  stop(): Promise<void>;
}

interface Plan {
  role: RoleName;
  host: string;
  port: number;
  opsPort: number;
  env: Record<string, string>;
}

function createReplica({ role, host, port, opsPort, env }: Plan): Replica {
  let child: ChildProcess | undefined;
  const settings = {
    ...stack.env,
    FIELDSTONE_HOST: host,
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_EDGE_PORT: String(port),
    ...env,
  };
  const isReady = () =>
    fetch(`http://${host}:${opsPort}/readyz`).then(
      async (reply) => {
        await reply.body?.cancel();
        return reply.ok;
      },
      () => false,
    );
  return {
    name: `${role} on ${host}`,
    url: `http://${host}:${port}`,
    isReady,
    async start() {
      const plan = planRole(role, settings, opsPort);
      child = spawn(plan.command, plan.args, { env: plan.env, stdio: 'ignore' });
      await eventually(`${role} on ${host} is ready`, isReady);
    },
    async end(signal) {
      const ended = child;
      child = undefined;
      return ended ? endChild(ended, signal) : 0;
    },
  };
}

/**
 * Starts this many processes of a role on the stack's engines, each on a loopback address of its own with the same
 * ports, like pods. Resolves when all are ready.
 */
export async function startReplicas(
  role: RoleName,
  count: number,
  env: Record<string, string> = {},
): Promise<ReplicaSet> {
  const [port, opsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const hosts = Array.from({ length: count }, (_, index) => `127.0.0.${index + 1}`);
  const replicas = hosts.map((host) => createReplica({ role, host, port, opsPort, env }));
  await Promise.all(replicas.map((replica) => replica.start()));
  return {
    replicas,
    addresses: hosts.map((host) => `${host}:${port}`),
    opsPort,
    async stop() {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
    },
  };
}
