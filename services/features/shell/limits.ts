import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, problem } from '../../core/errors.ts';

export type ShellLimits = Pick<Config['siteLimits'], 'shellFiles' | 'shellBytes'>;

interface ShellSize {
  files: number;
  bytes: number;
}

async function measureShell(db: Db, siteId: string): Promise<ShellSize> {
  const [row] = await db.query<ShellSize>(
    'SELECT count(*) AS files, COALESCE(sum(bytes), 0)::INT8 AS bytes FROM shell_files WHERE site_id = $1',
    [siteId],
  );
  return row!;
}

/**
 * Runs a change of a site's shell in the caller's transaction and throws if the shell exceeds its limits afterwards
 * (contract: Limits). A shell that already exceeds them may shrink. Throws `validation_failed` for files, `too_large`
 * for bytes.
 */
export async function withinShellLimits<T>(
  db: Db,
  siteId: string,
  { shellFiles, shellBytes }: ShellLimits,
  change: () => Promise<T>,
): Promise<T> {
  const before = await measureShell(db, siteId);
  const result = await change();
  const after = await measureShell(db, siteId);
  if (after.files > Math.max(shellFiles, before.files))
    throw invalid([{ path: '', message: `a shell has at most ${shellFiles} files; delete some first` }]);
  if (after.bytes > Math.max(shellBytes, before.bytes))
    throw problem('too_large', `A shell has at most ${shellBytes} bytes in total; delete some files first.`);
  return result;
}
