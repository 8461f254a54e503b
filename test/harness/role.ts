import { type ChildProcess, spawn } from 'node:child_process';
import { type RoleName, roleArguments } from '../../services/cli/up/roles.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually, stack } from './api.ts';
import { endChild } from './child.ts';

export interface TestRole {
  url: string;
  ops: string;
  process: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts another process of a role on the stack's engines, with its own settings, and waits until it is ready, or at
 * least alive. It ends with `kill` or its scope.
 */
export async function startRole(
  role: RoleName,
  env: Record<string, string> = {},
  until: 'readyz' | 'healthz' = 'readyz',
): Promise<TestRole> {
  const [port, opsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const own = {
    ...stack.env,
    FIELDSTONE_PORT: String(port),
    FIELDSTONE_EDGE_PORT: String(port),
    FIELDSTONE_OPS_PORT: String(opsPort),
    ...env,
  };
  const child = spawn(process.execPath, roleArguments(role), { env: own, stdio: 'ignore' });
  const ops = `http://127.0.0.1:${opsPort}`;
  await eventually(`${role} answers /${until}`, () =>
    fetch(`${ops}/${until}`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    ops,
    process: child,
    async kill(signal = 'SIGKILL') {
      await endChild(child, signal);
    },
    async [Symbol.asyncDispose]() {
      await endChild(child);
    },
  };
}
