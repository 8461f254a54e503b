import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import { recordChange } from '../audit/index.ts';
import { BackupDamaged, findSummary, type Summary } from './archive.ts';
import { withBackupLease } from './create.ts';
import type { InstallationSummary } from './installation-archive.ts';
import { installationLease } from './installation-create.ts';
import { installationTables } from './installation-tables.ts';
import { type Line, rowsOf } from './lines.ts';
import { type RestoreDeps, restoreBackup, siteExists } from './restore.ts';
import { insertRows } from './rows.ts';
import { readLines } from './verify.ts';

export interface RestoredInstallation {
  sites: number;
  users: number;
  keys: number;
  /** Sites that the backup itself lacks. */
  missing: { slug: string; reason: string }[];
}

/** The backup of one site of a backup of the installation. Throws BackupDamaged. */
export async function requirePart(
  bucket: KeyedStore,
  { id, slug, backup }: InstallationSummary['sites'][number],
): Promise<Summary> {
  const summary = await findSummary(bucket, backup, id);
  if (!summary) throw new BackupDamaged(`The backup of the site ${slug} (${backup}) is gone.`);
  return summary;
}

/**
 * Throws `conflict` where anybody has begun to work: a key, a team, a second user, or a site that the backup does not have.
 * Sites of the backup may be there: an earlier run of this restore died after them.
 */
async function requireEmpty(db: Db, sites: readonly string[]): Promise<void> {
  const [found] = await db.query<{ sites: number; users: number; teams: number; keys: number }>(
    `SELECT (SELECT count(*) FROM sites s WHERE NOT (s.id = ANY($1::UUID[]))) AS sites,
       (SELECT count(*) FROM users u WHERE u.role <> 'admin') + (SELECT greatest(count(*), 1) - 1 FROM users a WHERE a.role = 'admin') AS users,
       (SELECT count(*) FROM teams) AS teams, (SELECT count(*) FROM api_keys) AS keys`,
    [sites],
  );
  const kinds = Object.entries(found!).filter(([, count]) => count > 0);
  if (kinds.length === 0) return;
  const what = kinds.map(([kind, count]) => `${count} ${kind}`).join(', ');
  throw problem(
    'conflict',
    `Everything can only be restored into an empty installation; this one has ${what} of its own.`,
  );
}

/** Users, teams and keys at once, in place of the administrator whom a new installation makes. */
async function writeInstallationRows(
  db: RestoreDeps['db'],
  lines: readonly Line[],
  sites: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    await requireEmpty(tx, sites);
    await tx.query('DELETE FROM users');
    for (const { name } of installationTables) await insertRows(tx, name, rowsOf(lines, name));
    const target = { kind: 'installation' };
    await recordChange(tx, { operation: 'backups.restore', site: null, target });
  });
}

/**
 * Restores everything into an installation that has nothing yet: each site in one transaction of its own, live as it was, then
 * users, teams and keys (their hashes: the keys that people hold work again). One that died goes on where it stopped when it
 * is run again. Throws BackupDamaged, `conflict`.
 */
export function restoreInstallation(deps: RestoreDeps, summary: InstallationSummary): Promise<RestoredInstallation> {
  return withBackupLease(deps, installationLease, undefined, async (signal) => {
    const ids = summary.sites.map(({ id }) => id);
    await requireEmpty(deps.db, ids);
    const lines = await readLines(deps.bucket, summary);
    for (const site of summary.sites) {
      signal.throwIfAborted();
      if (await siteExists(deps, site.id)) continue;
      await restoreBackup(deps, await requirePart(deps.bucket, site));
    }
    signal.throwIfAborted();
    await writeInstallationRows(deps.db, lines, ids);
    return {
      sites: ids.length,
      users: rowsOf(lines, 'users').length,
      keys: rowsOf(lines, 'api_keys').length,
      missing: summary.missing.map(({ slug, reason }) => ({ slug, reason })),
    };
  });
}
