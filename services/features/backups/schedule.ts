import type { Config } from '../../core/config.ts';
import type { Logger } from '../../core/log.ts';
import { listSummaryKeys, parseSummaryKey } from './archive.ts';
import { createBackup } from './create.ts';
import { readInstallations } from './installation-archive.ts';
import { createInstallationBackup, type InstallationDeps } from './installation-create.ts';
import { showLatest } from './metrics.ts';

interface ScheduleDeps extends InstallationDeps {
  config: Pick<Config, 'backupKeep' | 'backupEveryHours' | 'backupAllKeep' | 'backupAllEveryHours'>;
  log: Logger;
}

const hourMs = 60 * 60 * 1000;

/** Returns the time of each site's latest backup, read from the bucket's keys. */
export async function readNewestTimes({ bucket }: Pick<ScheduleDeps, 'bucket'>): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for (const key of await listSummaryKeys(bucket)) {
    const { siteId, createdAt } = parseSummaryKey(key)!;
    newest.set(siteId, Math.max(newest.get(siteId) ?? 0, createdAt.getTime()));
  }
  return newest;
}

/**
 * Backs up every site whose latest backup is older than FIELDSTONE_BACKUP_EVERY_HOURS. A failure does not stop the
 * others.
 */
export async function backUpDueSites(deps: ScheduleDeps, signal: AbortSignal): Promise<void> {
  const { db, bucket, config, log } = deps;
  await bucket.ensure();
  const newest = await readNewestTimes(deps);
  const sites = await db.query<{ id: string; slug: string; created_at: Date }>(
    'SELECT id, slug, created_at FROM sites ORDER BY id',
  );
  for (const { id, slug } of sites) {
    signal.throwIfAborted();
    if (Date.now() - (newest.get(id) ?? 0) < config.backupEveryHours * hourMs) continue;
    try {
      const { id: backup, added } = await createBackup(deps, id, {}, signal);
      newest.set(id, Date.now());
      log.info({ site: slug, backup, ...added }, 'backed up');
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ err: error, site: slug }, 'a backup failed and will be retried');
    }
  }
  // a site that has never been backed up counts from its creation
  const times = sites.map(({ id, created_at }) => newest.get(id) ?? created_at.getTime());
  showLatest('site', sites.length > 0 ? new Date(Math.min(...times)) : new Date());
}

/** Backs up everything if the latest backup of the installation is older than FIELDSTONE_BACKUP_ALL_EVERY_HOURS. */
export async function backUpDueInstallation(deps: ScheduleDeps, signal: AbortSignal): Promise<void> {
  const { bucket, config, log } = deps;
  await bucket.ensure();
  const made = await readInstallations(bucket);
  const complete = made.findLast(({ missing }) => missing.length === 0);
  showLatest('all', complete && new Date(complete.created_at));
  const ageMs = Date.now() - Date.parse(made.at(-1)?.created_at ?? '1970-01-01T00:00:00Z');
  if (ageMs < config.backupAllEveryHours * hourMs) return;
  const { id, sites, missing, added } = await createInstallationBackup(deps, {}, signal);
  log.info({ backup: id, sites: sites.length, ...added }, 'everything backed up');
  if (missing.length === 0) showLatest('all', new Date());
  else log.error({ backup: id, missing }, 'a backup of everything lacks sites');
}
