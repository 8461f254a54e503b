import { existsSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

function worksIn(pid: number, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return false; // it has ended
  }
}

/**
 * Removes a `postmaster.pid` whose process died and whose id another program now has. PostgreSQL itself removes the
 * file only when no process has that id, and would refuse to start. Call it only when no server of this folder should
 * be running.
 */
export function removeStalePid(directory: string): void {
  const file = path.join(directory, 'postmaster.pid');
  if (process.platform !== 'linux' || !existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!worksIn(pid, directory)) rmSync(file, { force: true });
}
