import path from 'node:path';
import type { ProcessSpec } from '../../engines-local/supervise.ts';

/**
 * Node's arguments for a role. A young generation of 4 MB instead of 16 to 32 saves 30 to 60 MB per process at no cost
 * that the benchmarks show; with 2 MB, the worker spends a fifth of its time on garbage collection.
 */
const nodeArguments = ['--max-semi-space-size=4'];

export const roleNames = ['gateway', 'worker', 'edge'] as const;
export type RoleName = (typeof roleNames)[number];

/** Returns Node's arguments to run the role. */
export function roleArguments(role: RoleName): string[] {
  return [...nodeArguments, path.join(import.meta.dirname, '..', 'run-role.ts'), role];
}

/**
 * Returns the specification of a role's process with these settings; it is ready when its own operations port says so.
 */
export function planRole(role: RoleName, settings: Record<string, string>, opsPort: number): ProcessSpec {
  return {
    name: role,
    command: process.execPath,
    args: roleArguments(role),
    // otherwise glibc gives every thread an arena, which soon holds large blocks too: tens of megabytes that are never
    // returned
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', ...settings, FIELDSTONE_OPS_PORT: String(opsPort) },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 20_000,
    readyTimeoutMs: 60_000,
    isReady: () => answersReady(localOrigin(settings['FIELDSTONE_HOST'], opsPort)),
  };
}

/**
 * Returns the origin under which this machine reaches a server that listens on `host`; loopback if it listens on all
 * addresses, as by default.
 */
export function localOrigin(host: string | undefined, port: number): string {
  const address = !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Returns whether the role of this operations server responds to `/readyz` with 200. */
export async function answersReady(opsOrigin: string): Promise<boolean> {
  const response = await fetch(`${opsOrigin}/readyz`, { signal: AbortSignal.timeout(5000) });
  await response.body?.cancel();
  return response.ok;
}
