import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import type { Database } from '../../engines/sql/database.ts';
import type { InstallationSummary } from './installation-archive.ts';
import { readInstallationRows } from './installation-create.ts';
import { requirePart } from './installation-restore.ts';
import { installationTables } from './installation-tables.ts';
import { type Line, rowsOf } from './lines.ts';
import { insertRows } from './rows.ts';
import { newIds, renameLines } from './transform.ts';
import { compareScratch, readLines, verifyBackup } from './verify.ts';

/** Returns the same rows with unused names: ids, email addresses, slugs, public ids of keys. */
function asScratch(lines: readonly Line[]): Line[] {
  return renameLines(lines, newIds(lines, ['users', 'teams'])).map(([table, row]): Line => {
    if (table === 'users') return [table, { ...row, email: `${randomUUID()}@scratch.invalid` }];
    if (table === 'teams') return [table, { ...row, slug: `scratch-${randomUUID()}` }];
    return table === 'api_keys' ? [table, { ...row, id: randomBytes(8).toString('hex') }] : [table, row];
  });
}

async function writeScratchRows(tx: Db, lines: readonly Line[]): Promise<Line[]> {
  const before = new Set((await readInstallationRows(tx)).map((line) => JSON.stringify(line)));
  for (const { name } of installationTables) await insertRows(tx, name, rowsOf(lines, name));
  return (await readInstallationRows(tx)).filter((line) => !before.has(JSON.stringify(line)));
}

/**
 * Proves that a backup of everything can be restored: every site's backup as `verifyBackup` does, then users, teams and
 * keys. Throws BackupDamaged with the reason.
 */
export async function verifyInstallation(
  deps: { db: Database; bucket: KeyedStore },
  summary: InstallationSummary,
): Promise<void> {
  const lines = asScratch(await readLines(deps.bucket, summary));
  for (const site of summary.sites) await verifyBackup(deps, await requirePart(deps.bucket, site));
  await compareScratch(deps.db, lines, (tx) => writeScratchRows(tx, lines));
}
