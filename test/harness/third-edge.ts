import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { planRole } from '../../services/cli/up/roles.ts';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { eventually, stack } from './api.ts';

export interface ThirdEdge {
  origin: string;
  child: ChildProcess;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An edge of a test's own that knows nothing yet, on the stack's engines unless `env` says otherwise. It ends with its scope. */
export async function startThirdEdge(env: Record<string, string> = {}): Promise<ThirdEdge> {
  const [port, opsPort] = await Promise.all([findFreePort(), findFreePort()]);
  const settings = { ...stack.env, FIELDSTONE_EDGE_PORT: String(port), ...env };
  const role = planRole('edge', settings, opsPort);
  const child = spawn(role.command, role.args, { env: role.env, stdio: 'ignore' });
  const origin = `http://127.0.0.1:${port}`;
  await eventually('the third edge answers', async () => (await fetch(`${origin}/healthz`).catch(() => undefined))?.ok);
  return {
    origin,
    child,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
