import path from 'node:path';
import type { ProcessSpec } from '../../engines-local/supervise.ts';

export type RoleName = 'gateway' | 'worker' | 'edge';

/** The program of each role and what Node needs to run it. */
export const roleTable: Record<RoleName, { main: string; nodeArgs: string[] }> = {
  gateway: { main: rolePath('gateway'), nodeArgs: [] },
  worker: { main: rolePath('worker'), nodeArgs: [] },
  edge: { main: rolePath('edge'), nodeArgs: [] },
};

export const roleNames = Object.keys(roleTable) as RoleName[];

function rolePath(role: RoleName): string {
  return path.join(import.meta.dirname, '..', '..', role, 'main.ts');
}

/** How to run one role with these settings; it is ready when its own operations port says so. */
export function planRole(role: RoleName, settings: Record<string, string>, opsPort: number): ProcessSpec {
  const { main, nodeArgs } = roleTable[role];
  return {
    name: role,
    command: process.execPath,
    args: [...nodeArgs, main],
    env: { ...settings, FIELDSTONE_OPS_PORT: String(opsPort) },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 20_000,
    readyTimeoutMs: 60_000,
    isReady: () => answersReady(opsPort),
  };
}

/** Whether the role behind this operations port answers `/readyz` with 200. */
export async function answersReady(opsPort: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal: AbortSignal.timeout(5000) });
  await response.body?.cancel();
  return response.ok;
}
