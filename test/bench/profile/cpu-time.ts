import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tickMs = 10;

const kinds: [string, RegExp][] = [
  ['gateway', /run-role\.ts\0gateway/],
  ['worker', /run-role\.ts\0worker/],
  ['edge', /run-role\.ts\0edge/],
  ['PostgreSQL', /postgres/],
  ['MinIO', /minio/],
  ['Temporal', /temporal/],
  ['sandboxes', /sandbox|build\/render/],
];

interface Process {
  pid: number;
  parent: number;
  command: string;
  cpuMs: number;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number) as [number, number, number];
    return { pid, parent, cpuMs: (user + system) * tickMs, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** Returns the processor time so far of every descendant process, by kind, in milliseconds. */
export function readCpuTimes(): Map<string, number> {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const family = new Set([process.pid]);
  for (let grown = 0; grown !== family.size; ) {
    grown = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const times = new Map<string, number>();
  for (const { pid, command, cpuMs } of all) {
    if (pid === process.pid || !family.has(pid)) continue;
    const kind = kinds.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
    times.set(kind, (times.get(kind) ?? 0) + cpuMs);
  }
  return times;
}
