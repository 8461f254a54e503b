import type { Command } from 'commander';
import { formatTimestamp } from '../../core/timestamp.ts';
import { openBucket } from '../../engines/objects/bucket.ts';
import { openObjectStore } from '../../engines/objects/store.ts';
import {
  createBackup,
  listBackups,
  type RestoreDeps,
  requireBackup,
  restoreBackup,
  type Summary,
  verifyBackup,
} from '../../features/backups/service.ts';
import { findSiteBySlug } from '../../features/sites/service.ts';
import { addCommand, type CommonOptions } from '../command-options.ts';
import { CliError, command, printResult } from '../run-command.ts';
import { withDatabase } from '../with-database.ts';

function withBackups<T>(options: CommonOptions, work: (deps: RestoreDeps) => Promise<T>): Promise<T> {
  return withDatabase(options.data, ({ config, db, cipher }) =>
    work({ config, db, cipher, objects: openObjectStore(config.s3, db), bucket: openBucket(config.backupS3) }),
  );
}

function present({ id, site, created_at, rows, blobs, bytes, added }: Summary) {
  return {
    id,
    site: site.slug,
    site_id: site.id,
    created_at: formatTimestamp(new Date(created_at)),
    rows,
    blobs,
    bytes,
    added,
  };
}

function describe({ id, site, created_at, blobs, bytes, added }: ReturnType<typeof present>): string {
  return `${id}  ${created_at}  ${site}  ${blobs} objects, ${bytes} bytes, ${added.bytes} of them new`;
}

async function create(slug: string, options: CommonOptions): Promise<void> {
  const made = await withBackups(options, async (deps) => {
    const site = await findSiteBySlug(deps.db, slug);
    if (!site) throw new CliError(`There is no site ${slug}.`);
    return createBackup(deps, site.id);
  });
  printResult(present(made), options.json, describe);
}

async function list(options: CommonOptions & { site?: string }): Promise<void> {
  const all = await withBackups(options, ({ bucket }) => listBackups(bucket));
  const wanted = all.filter(({ site }) => !options.site || site.slug === options.site).map(present);
  printResult(wanted, options.json, (rows) => rows.map(describe).join('\n') || 'There are no backups yet.');
}

async function verify(id: string, options: CommonOptions): Promise<void> {
  const summary = await withBackups(options, async (deps) => {
    const found = await requireBackup(deps.bucket, id);
    await verifyBackup(deps, found);
    return found;
  });
  printResult({ ...present(summary), ok: true }, options.json, () => `Backup ${id} is whole and can be restored.`);
}

async function restore(id: string, options: CommonOptions & { as?: string }): Promise<void> {
  const restored = await withBackups(options, async (deps) =>
    restoreBackup(deps, await requireBackup(deps.bucket, id), options.as ?? null),
  );
  printResult(restored, options.json, ({ site, live_release, before }) => {
    const live = live_release ? 'is live as it was' : `is not live; publish it with fieldstone publish ${site.slug}`;
    const undo = before ? ` What was there is backup ${before}.` : '';
    return `Site ${site.slug} is restored and ${live}.${undo}`;
  });
}

/** Adds `fieldstone backups create|list|verify|restore`. */
export function register(program: Command): void {
  const backups = program.command('backups').description('copies of sites in a store of their own');
  addCommand(backups, 'create <site>', 'back a site up').action(command(create));
  addCommand(backups, 'list', 'list the backups, newest first')
    .option('--site <slug>', 'only those of one site')
    .action(command(list));
  addCommand(backups, 'verify <id>', 'prove that a backup can be restored').action(command(verify));
  addCommand(backups, 'restore <id>', 'bring a site back as it was')
    .option('--as <slug>', 'as a new site of this slug')
    .action(command(restore));
}
