import path from 'node:path';
import type { ProcessSpec } from '../../engines-local/supervise.ts';

/**
 * What Node needs to run a role, beside its program. A young generation of 4 MB instead of 16 to 32 saves 30 to 60 MB a process and
 * costs nothing that the benchmarks show; with 2 MB, a fifth of the worker's time goes into collecting garbage.
 */
const nodeArguments = ['--max-semi-space-size=4'];

export const roleNames = ['gateway', 'worker', 'edge'] as const;
export type RoleName = (typeof roleNames)[number];

/** The arguments with which Node becomes the role. */
export function roleArguments(role: RoleName): string[] {
  return [...nodeArguments, path.join(import.meta.dirname, '..', 'run-role.ts'), role];
}

/** How to run one role with these settings; it is ready when its own operations port says so. */
export function planRole(role: RoleName, settings: Record<string, string>, opsPort: number): ProcessSpec {
  return {
    name: role,
    command: process.execPath,
    args: roleArguments(role),
    // glibc gives every thread an arena of its own otherwise, and soon takes large blocks from them too: some tens of
    // megabytes that stay
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', ...settings, FIELDSTONE_OPS_PORT: String(opsPort) },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 20_000,
    readyTimeoutMs: 60_000,
    isReady: () => answersReady(localOrigin(settings['FIELDSTONE_HOST'], opsPort)),
  };
}

/** Where to ask from this machine what listens on `host`: on every address, as it does by default, means on loopback too. */
export function localOrigin(host: string | undefined, port: number): string {
  const address = !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Whether the role behind this operations server answers `/readyz` with 200. */
export async function answersReady(opsOrigin: string): Promise<boolean> {
  const response = await fetch(`${opsOrigin}/readyz`, { signal: AbortSignal.timeout(5000) });
  await response.body?.cancel();
  return response.ok;
}
