import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { Problem } from '../../core/errors.ts';
import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import {
  documentKey,
  documentPrefix,
  listKeys,
  listSummaryKeys,
  parseSummaryKey,
  putDocument,
  type Summary,
} from './archive.ts';
import { addBackup, type BackupDeps, type BackupOptions, withBackupLease } from './create.ts';
import {
  type InstallationSummary,
  listInstallationKeys,
  parseInstallationKey,
  putInstallation,
} from './installation-archive.ts';
import { installationTables } from './installation-tables.ts';
import { createLineWriter, type Line } from './lines.ts';
import { dropBackups } from './prune.ts';
import { readTable } from './rows.ts';

export interface InstallationDeps extends BackupDeps {
  config: Pick<Config, 'backupKeep' | 'backupAllKeep'>;
}

/** The name of the lease for work on the whole installation. */
export const installationLease = 'installation';
/** A failed site is retried once, after the others. */
const passes = 2;
/** How long to wait for a site whose lease is held: longer than the lease of a killed holder lasts. */
const maxWaitMs = 45_000;
const pauseMs = 1000;

type SiteName = Pick<Summary['site'], 'id' | 'slug'>;
type Missing = InstallationSummary['missing'][number];

/** Returns users, teams and keys as one snapshot. */
export async function readInstallationRows(tx: Db): Promise<Line[]> {
  const lines: Line[] = [];
  for (const table of installationTables) {
    for await (const rows of readTable(tx, table, [])) for (const row of rows) lines.push([table.name, row]);
  }
  return lines;
}

/**
 * Backs up every site; returns failures along with the backups made, so that one site does not prevent the backups of
 * others.
 */
async function backUpSites(deps: BackupDeps, options: BackupOptions, signal: AbortSignal) {
  const made: Summary[] = [];
  const failures: Missing[] = [];
  const waitUntil = performance.now() + maxWaitMs;
  let waiting: readonly SiteName[] = await deps.db.query<SiteName>('SELECT id, slug FROM sites ORDER BY id');
  for (let pass = 1; waiting.length > 0; pass++) {
    if (pass > passes) await sleep(pauseMs, undefined, { signal });
    const again: SiteName[] = [];
    for (const { id, slug } of waiting) {
      signal.throwIfAborted();
      try {
        made.push(await withBackupLease(deps, id, signal, (held) => addBackup(deps, id, held, options)));
      } catch (error) {
        if (signal.aborted) throw error;
        const isHeld = error instanceof Problem && error.code === 'conflict';
        if (pass < passes || (isHeld && performance.now() < waitUntil)) again.push({ id, slug });
        else failures.push({ id, slug, reason: (error as Error).message });
      }
    }
    waiting = again;
  }
  const present = await deps.db.query<{ id: string }>('SELECT id FROM sites WHERE id = ANY($1::UUID[])', [
    failures.map(({ id }) => id),
  ]);
  const ids = new Set(present.map(({ id }) => id));
  return { made, missing: failures.filter(({ id }) => ids.has(id)) }; // a site deleted meanwhile is not missing
}

/** Deletes backups of sites that belong to a deleted or unfinished backup of the installation. */
async function dropParts(deps: BackupDeps, kept: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const bySite = new Map<string, string[]>();
  for (const key of await listSummaryKeys(deps.bucket)) {
    const { siteId, installation } = parseSummaryKey(key)!;
    if (installation !== null && !kept.has(installation)) bySite.set(siteId, [...(bySite.get(siteId) ?? []), key]);
  }
  for (const [siteId, keys] of bySite) {
    await withBackupLease(deps, siteId, signal, (held) => dropBackups(deps.bucket, siteId, keys, held));
  }
}

/**
 * Deletes the oldest backups of the installation beyond `keep`, with their sites'. Requires the installation's lease.
 */
async function pruneInstallations(deps: BackupDeps, keep: number, signal: AbortSignal): Promise<void> {
  const keys = await listInstallationKeys(deps.bucket);
  const dropped = keys.slice(0, -Math.max(1, keep));
  for (const key of dropped) {
    signal.throwIfAborted();
    await deps.bucket.remove([key]); // first, so that no partial backup is ever listed
    await removeDocuments(deps.bucket, parseInstallationKey(key)!);
  }
  await dropParts(deps, new Set(keys.slice(dropped.length).map((key) => parseInstallationKey(key)!)), signal);
}

async function removeDocuments(bucket: KeyedStore, id: string): Promise<void> {
  await bucket.remove(await listKeys(bucket, documentPrefix(id)));
}

/**
 * Backs up everything: a snapshot of each site, then users, teams and keys. Copies only what the sites' backups lack.
 * Sites that could not be backed up are listed in `missing`. A crash leaves no partial backup. Deletes backups beyond
 * FIELDSTONE_BACKUP_ALL_KEEP, oldest first. Throws `conflict`.
 */
export function createInstallationBackup(
  deps: InstallationDeps,
  { full = false }: Pick<BackupOptions, 'full'> = {},
  stop?: AbortSignal,
): Promise<InstallationSummary> {
  return withBackupLease(deps, installationLease, stop, async (signal) => {
    const id = randomUUID();
    const { made, missing } = await backUpSites(deps, { full, installation: id }, signal);
    const lines = await deps.db.transaction(readInstallationRows);
    const writer = createLineWriter();
    for (const line of lines) await writer.add(line);
    const sum = (numberOf: (summary: Summary) => number) => made.reduce((total, one) => total + numberOf(one), 0);
    const summary: InstallationSummary = {
      format: 1,
      kind: 'installation',
      id,
      created_at: new Date().toISOString(),
      rows: writer.rows,
      contents: await putDocument(deps.bucket, documentKey(id, 'rows.jsonl.gz'), await writer.end()),
      sites: made.map(({ id: backup, site }) => ({ id: site.id, slug: site.slug, backup })),
      missing,
      blobs: sum(({ blobs }) => blobs),
      bytes: sum(({ bytes }) => bytes),
      added: { blobs: sum(({ added }) => added.blobs), bytes: sum(({ added }) => added.bytes) },
    };
    signal.throwIfAborted();
    await putInstallation(deps.bucket, summary);
    await pruneInstallations(deps, deps.config.backupAllKeep, signal);
    return summary;
  });
}
