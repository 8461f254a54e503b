import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the process and all its descendants. Linux only. */
function family(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // it has ended meanwhile
    }
  }
  const found = [root];
  for (let n = 0; n < found.length; n++) {
    for (const [child, parent] of parents) if (parent === found[n]) found.push(child);
  }
  return found;
}

function pssKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has ended meanwhile
  }
}

/**
 * Returns the memory of a process and all its descendants, with shared pages divided among their users (PSS), in
 * megabytes. Linux only.
 */
export function totalPssMegabytes(root: number): number {
  return family(root).reduce((sum, pid) => sum + pssKilobytes(pid), 0) / 1024;
}
