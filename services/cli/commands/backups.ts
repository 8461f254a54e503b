import type { Command } from 'commander';
import { openKeyedStore } from '../../engines/objects/open.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import {
  type BackupRecord,
  createBackupOperations,
  operator,
  type RestoreRecord,
} from '../../features/backups/index.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

type Operations = ReturnType<typeof createBackupOperations>;

function withBackups<T>(options: CommonOptions, work: (operations: Operations) => Promise<T>): Promise<T> {
  return withDatabase(options.data, ({ config, db, cipher, edges }) =>
    work(
      createBackupOperations({
        config,
        db,
        cipher,
        objects: openObjectStore(config.objects, db),
        bucket: openKeyedStore(config.backups),
        edges,
      }),
    ),
  );
}

function describe(record: BackupRecord): string {
  const what = record.kind === 'site' ? record.site : `everything (${record.sites.length} sites)`;
  const { id, created_at, blobs, bytes, added } = record;
  return `${id}  ${created_at}  ${what}  ${blobs} objects, ${bytes} bytes, ${added.bytes} of them new`;
}

/** Throws if a backup of everything lacks some of it, although the backup was stored. */
function throwIfIncomplete(missing: readonly { slug: string; reason: string }[]): void {
  if (missing.length === 0) return;
  throw new CliError(`The backup lacks ${missing.map(({ slug, reason }) => `${slug} (${reason})`).join(', ')}`);
}

async function create(
  slug: string | undefined,
  { all, full = false, ...options }: CommonOptions & { all?: boolean; full?: boolean },
): Promise<void> {
  if ((slug === undefined) === !all) throw new CliError('Name a site, or use --all.', { code: 'usage' });
  const made = await withBackups<BackupRecord>(options, (backups) =>
    slug === undefined ? backups.backUpAll(operator, { full }) : backups.backUpSite(operator, slug, { full }),
  );
  printResult(made, options.json, describe);
  if (made.kind === 'installation') throwIfIncomplete(made.missing);
}

async function list({ site, ...options }: CommonOptions & { site?: string }): Promise<void> {
  const records = await withBackups(options, (backups) => backups.list(operator, site));
  printResult(records, options.json, (rows) => rows.map(describe).join('\n') || 'There are no backups yet.');
}

async function verify(id: string, options: CommonOptions): Promise<void> {
  const record = await withBackups(options, (backups) => backups.verify(operator, id));
  printResult({ ...record, ok: true }, options.json, () => `Backup ${id} is complete and can be restored.`);
  if (record.kind === 'installation') throwIfIncomplete(record.missing);
}

function describeRestored(restored: RestoreRecord): string {
  if (restored.kind === 'installation') {
    const { sites, users, keys } = restored;
    return `Everything is restored: ${sites} sites, ${users} users, ${keys} keys.`;
  }
  const { site, live_release, before } = restored;
  const live = live_release ? 'is live as it was' : `is not live; publish it with fieldstone publish ${site.slug}`;
  const undo = before ? ` What was there is backup ${before}.` : '';
  return `Site ${site.slug} is restored and ${live}.${undo}`;
}

async function restore(
  id: string,
  { as, force = false, ...options }: CommonOptions & { as?: string; force?: boolean },
): Promise<void> {
  const restored = await withBackups(options, (backups) => backups.restore(operator, id, { as: as ?? null, force }));
  printResult(restored, options.json, describeRestored);
  if (restored.kind === 'installation') throwIfIncomplete(restored.missing);
}

/** Adds `fieldstone backups create|list|verify|restore`. */
export function register(program: Command): void {
  const backups = program.command('backups').description('copies of sites, or of everything, in a store of their own');
  addCommand(backups, 'create [site]', 'back a site up, or everything')
    .option('--all', 'every site, users, teams and keys')
    .option('--full', 'copy every object again, also those that earlier backups have')
    .action(command(create));
  addCommand(backups, 'list', 'list the backups, newest first')
    .option('--site <slug>', 'only backups of one site')
    .action(command(list));
  addCommand(backups, 'verify <id>', 'prove that a backup can be restored').action(command(verify));
  addCommand(backups, 'restore <id>', 'restore a site, or everything into an empty installation')
    .option('--as <slug>', 'as a new site of this slug')
    .option('--force', 'even if the present state cannot be backed up first')
    .action(command(restore));
}
