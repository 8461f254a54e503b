import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, problem } from '../../core/errors.ts';

interface ScriptsSize {
  scripts: number;
  bytes: number;
}

async function measureScripts(db: Db, siteId: string): Promise<ScriptsSize> {
  const [row] = await db.query<ScriptsSize>(
    `SELECT count(*) AS scripts, COALESCE(sum(octet_length(COALESCE(code, '')) + octet_length(COALESCE(src, ''))), 0)::INT8 AS bytes
     FROM scripts WHERE site_id = $1`,
    [siteId],
  );
  return row!;
}

/**
 * Runs a change of a site's scripts in the caller's transaction, and throws if they exceed their limits afterwards,
 * because every page contains them (contract: Limits): `validation_failed` for their number, `too_large` for their
 * total size.
 */
export async function withinScriptLimits<T>(
  db: Db,
  siteId: string,
  { scripts, scriptBytes }: Pick<Config['siteLimits'], 'scripts' | 'scriptBytes'>,
  change: () => Promise<T>,
): Promise<T> {
  const before = await measureScripts(db, siteId);
  const result = await change();
  const after = await measureScripts(db, siteId);
  if (after.scripts > Math.max(scripts, before.scripts))
    throw invalid([{ path: '', message: `a site has at most ${scripts} scripts; delete one first` }]);
  if (after.bytes > Math.max(scriptBytes, before.bytes))
    throw problem('too_large', `The scripts of a site have at most ${scriptBytes} bytes in all; shorten some first.`);
  return result;
}
