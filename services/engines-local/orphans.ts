import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Every process that `up` starts carries this variable: `<instance>:<data folder>:<run>`. A process that still carries
 * the first two parts when the next run holds the folder's lock was left by a run that died. A process id alone could
 * have been reused by another program; a process's initial environment cannot.
 */
export const runMarkerVariable = 'FIELDSTONE_RUN_MARKER';

const stopGraceMs = 8_000;
const killGraceMs = 5_000;

function listMarkedOnLinux(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        return environment.some((entry) => entry.startsWith(`${runMarkerVariable}=${marker}`));
      } catch {
        return false; // it ended meanwhile, or belongs to another user
      }
    })
    .map(Number);
}

async function listMarkedElsewhere(marker: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 });
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${runMarkerVariable}=${marker}`))
    .map((line) => Number.parseInt(line, 10));
}

/** Returns the ids of the running processes whose run marker starts with `marker`, except this process. */
export async function listMarkedProcesses(marker: string): Promise<number[]> {
  if (process.platform === 'win32') return [];
  const pids = process.platform === 'linux' ? listMarkedOnLinux(marker) : await listMarkedElsewhere(marker);
  return pids.filter((pid) => pid !== process.pid);
}

function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/**
 * Signals every marked process once, including those that appear meanwhile, and returns the ones that are left after
 * the given time.
 */
async function endWith(signal: NodeJS.Signals, marker: string, withinMs: number): Promise<Set<number>> {
  const signalled = new Set<number>();
  for (const deadline = Date.now() + withinMs; ; await sleep(100)) {
    const alive = await listMarkedProcesses(marker);
    if (alive.length === 0 || Date.now() > deadline) return new Set(alive);
    signalAll(
      alive.filter((pid) => !signalled.has(pid)),
      signal,
    );
    for (const pid of alive) signalled.add(pid);
  }
}

/**
 * Ends the processes left by an earlier run of this data folder, first with SIGTERM. Call it only while holding the
 * folder's lock. Returns the number of processes. Throws when one of them cannot be ended.
 */
export async function endOrphans(marker: string, graceMs = stopGraceMs): Promise<number> {
  const found = await listMarkedProcesses(marker);
  if (found.length === 0) return 0;
  let left = await endWith('SIGTERM', marker, graceMs);
  if (left.size > 0) left = await endWith('SIGKILL', marker, killGraceMs);
  if (left.size > 0) throw new Error(`Process ${[...left][0]} of an earlier run does not end; end it and start again.`);
  return found.length;
}
