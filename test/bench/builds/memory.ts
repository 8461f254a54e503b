import { readdirSync, readFileSync } from 'node:fs';

interface Row {
  pid: number;
  parent: number;
  args: string[];
}

function readProcesses(): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      rows.set(Number(name), { pid: Number(name), parent, args });
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error; // it has ended
    }
  }
  return rows;
}

/** Whether a process is a worker, or renders pages for one. */
const builds = ({ args }: Row) => args.at(-2) === 'worker' || args.some((one) => /render\/child\.[jt]s$/.test(one));

/** Returns the proportional set size of a process in megabytes; 0 if it has ended. */
function readMegabytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Returns the memory of the worker and the renderers among the descendants of a process, in megabytes. */
function readBuildMemory(root: number): number {
  const rows = readProcesses();
  const isOwn = (row: Row | undefined): boolean =>
    row !== undefined && (row.pid === root || isOwn(rows.get(row.parent)));
  return [...rows.values()]
    .filter((row) => builds(row) && isOwn(row))
    .reduce((sum, { pid }) => sum + readMegabytes(pid), 0);
}

/** Does the work, and measures the largest memory of the worker and the renderers meanwhile, in megabytes. */
export async function measureMemory(root: number, work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, readBuildMemory(root));
  }, 250);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
