import { createSandboxProcess, type SandboxCallOptions, type SandboxProcess, type SandboxStats } from './process.ts';
import type { SandboxSpawnOptions } from './spawn.ts';

export interface SandboxPoolOptions extends SandboxSpawnOptions {
  size: number;
}

export interface SandboxPoolCallOptions extends SandboxCallOptions {
  /** Calls with the same key go to the same process, so that it finds its caches warm. */
  affinity?: string;
}

/** Several sandbox processes behind one `call`. */
export interface SandboxPool {
  call<T>(method: string, payload: unknown, options: SandboxPoolCallOptions): Promise<T>;
  stop(): Promise<void>;
  stats(): SandboxStats[];
}

/** Makes a pool of sandbox processes; each starts with the first call it gets. */
export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  const processes = Array.from({ length: Math.max(1, options.size) }, () => createSandboxProcess(options));
  return {
    call: (method, payload, { timeoutMs, affinity }) =>
      choose(processes, affinity).call(method, payload, { timeoutMs }),
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
    },
    stats: () => processes.map((process) => process.stats()),
  };
}

function choose(processes: SandboxProcess[], affinity: string | undefined): SandboxProcess {
  if (affinity !== undefined) return processes[hashText(affinity) % processes.length]!;
  const load = ({ queued, busy, pid }: SandboxStats) => queued * 2 + (busy ? 2 : 0) + (pid === null ? 1 : 0);
  return processes.reduce((best, process) => (load(process.stats()) < load(best.stats()) ? process : best));
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
