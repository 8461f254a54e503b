import { setTimeout as sleep } from 'node:timers/promises';
import { stack } from '../harness/api.ts';

const mebibyte = 1024 * 1024;
const sampleMs = 1000;

export interface WatchedProcess {
  /** Seconds since 1970 of its start: a replaced process has another value. */
  startedAt: number;
  /** Resident memory, in MiB. */
  firstMiB: number;
  highestMiB: number;
  /** The maximum delay of its event loop, in milliseconds. */
  latestMs: number;
}

/** Reads a process's metrics; throws when it does not respond. */
async function sample(origin: string): Promise<{ startedAt: number; residentMiB: number; lateMs: number }> {
  const reply = await fetch(`${origin}/metrics`, { signal: AbortSignal.timeout(60_000) });
  const metrics = await reply.text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)![1]);
  return {
    startedAt: read('process_start_time_seconds'),
    residentMiB: Math.round(read('process_resident_memory_bytes') / mebibyte),
    lateMs: Math.round(read('nodejs_eventloop_lag_max_seconds') * 1000),
  };
}

export interface ProcessWatch {
  /** The values so far, by name of the process. */
  processes: ReadonlyMap<string, WatchedProcess>;
  /** Names of processes that have exited and were restarted. */
  replaced: readonly string[];
  /** Reads the metrics once more, and ends. */
  stop(): Promise<void>;
}

/** Watches every gateway, worker and edge of the stack until `stop`. */
export async function watchProcesses(): Promise<ProcessWatch> {
  const processes = new Map<string, WatchedProcess>();
  const replaced: string[] = [];
  const stopping = new AbortController();

  async function look(name: string, origin: string): Promise<void> {
    const { startedAt, residentMiB, lateMs } = await sample(origin);
    const known = processes.get(name);
    if (!known) {
      processes.set(name, { startedAt, firstMiB: residentMiB, highestMiB: residentMiB, latestMs: 0 });
      return;
    }
    if (known.startedAt !== startedAt) replaced.push(name);
    known.startedAt = startedAt;
    known.latestMs = Math.max(known.latestMs, lateMs);
    known.highestMiB = Math.max(known.highestMiB, residentMiB);
  }

  async function follow(name: string, origin: string): Promise<void> {
    while (!stopping.signal.aborted) {
      // a process that does not respond is busy, or has exited, which its successor reveals
      await look(name, origin).catch(() => undefined);
      await sleep(sampleMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await look(name, origin);
  }

  const roles = Object.entries(stack.ops);
  await Promise.all(roles.map(([name, origin]) => look(name, origin)));
  const following = Promise.all(roles.map(([name, origin]) => follow(name, origin)));
  following.catch(() => undefined); // `stop` reports it
  return {
    processes,
    replaced,
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
