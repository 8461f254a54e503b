import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

function worksIn(pid: number, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return false; // it is gone
  }
}

/**
 * Removes a `postmaster.pid` whose process died and whose id another program has since. PostgreSQL itself removes the file
 * only when no process has that id, and would refuse to start. Call it when no server of this folder is meant to run.
 */
export function removeStalePid(directory: string): void {
  const file = path.join(directory, 'postmaster.pid');
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!worksIn(pid, directory)) rmSync(file, { force: true });
}
