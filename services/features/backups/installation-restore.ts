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

/** Returns the backup of one site in a backup of the installation. Throws BackupDamaged. */
export async function requirePart(
  bucket: KeyedStore,
  { id, slug, backup }: InstallationSummary['sites'][number],
): Promise<Summary> {
  const summary = await findSummary(bucket, backup, id);
  if (!summary) throw new BackupDamaged(`The backup of the site ${slug} (${backup}) is gone.`);
  return summary;
}

/**
 * Throws `conflict` if the installation is in use: it has a key, a team, a second user, or a site that is not in the
 * backup. Sites of the backup may exist, from an interrupted run of this restore.
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
  throw problem('conflict', `Everything can only be restored into an empty installation; this one has ${what}.`);
}

/** Writes users, teams and keys in one transaction, and replaces the administrator whom a new installation creates. */
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
 * Restores everything into an empty installation: each site in a transaction of its own, live as it was, then users,
 * teams and keys (as hashes: existing keys work again). Run again after a crash, it continues where it stopped. Throws
 * BackupDamaged, `conflict`.
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
