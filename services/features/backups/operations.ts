import { problem } from '../../core/errors.ts';
import { everySite, type UserRoles } from '../../core/roles.ts';
import { allowsSite, grants, type Scope } from '../../core/scopes.ts';
import { rememberFor } from '../../core/single-flight.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { decide, requireAdministrator, requireOnSite } from '../access/index.ts';
import { selectSiteBySlug } from '../sites/index.ts';
import { findSummary, listSummaryKeys, parseSummaryKey, readSummaries, type Summary } from './archive.ts';
import { createBackup } from './create.ts';
import { findInstallation, type InstallationSummary, readInstallations } from './installation-archive.ts';
import { createInstallationBackup, type InstallationDeps } from './installation-create.ts';
import { type RestoredInstallation, restoreInstallation } from './installation-restore.ts';
import { verifyInstallation } from './installation-verify.ts';
import {
  type BackupRecord,
  type InstallationRecord,
  presentBackup,
  presentInstallation,
  type SiteBackupRecord,
} from './present.ts';
import { type RestoreDeps, type Restored, type RestoreOptions, restoreBackup } from './restore.ts';
import { readNewestTimes } from './schedule.ts';
import { verifyBackup } from './verify.ts';

/** The caller: the scopes and the site list of a key or an OAuth grant, and the roles of its user. */
export interface BackupCaller {
  scopes: readonly string[];
  sites: readonly string[];
  roles: UserRoles;
}

/** The caller of the command line: a user with the secrets of the engines may do everything. */
export const operator: BackupCaller = {
  scopes: ['admin'],
  sites: [everySite],
  roles: { administrator: true, onSites: new Map() },
};

/** The newest backup of each site, in short. */
export interface NewestBackups {
  /** Number of sites, and of those without any backup. */
  sites: number;
  without: number;
  /** At most ten sites, those with the oldest newest backup first. */
  oldest: { site: string; newest_at: string | null }[];
}

const maxOldest = 10;
/** How long the newest backups are remembered, because listing a large store takes seconds. */
const newestMs = 30_000;

type BackupOperationDeps = RestoreDeps & InstallationDeps;

/** The result of a restore. */
export type RestoreRecord = ({ kind: 'site' } & Restored) | ({ kind: 'installation' } & RestoredInstallation);

/** Whether the caller may see backups of everything. */
const seesAll = ({ sites, roles }: BackupCaller) => sites.includes(everySite) && roles.administrator;

function requireScope(caller: BackupCaller, scope: Scope): void {
  if (!grants(caller.scopes, scope)) throw problem('scope_missing', `This needs the scope ${scope}.`);
}

/** Whether the caller may do everything with backups of any site, deleted sites included. */
const mayAll = ({ sites, roles }: BackupCaller) =>
  sites.includes(everySite) && decide(roles, 'backups', everySite) === 'all';

function requireSite(caller: BackupCaller, slug: string): void {
  if (!allowsSite(caller.sites, slug)) throw problem('site_not_allowed', `The site ${slug} is not in the list.`);
  requireOnSite(caller.roles, 'backups', slug);
}

/**
 * Throws unless the caller's site list has every site and its user is an administrator: backups of everything contain
 * users and keys.
 */
function requireAll(caller: BackupCaller): void {
  if (!caller.sites.includes(everySite))
    throw problem('site_not_allowed', 'A backup of everything needs the site list *.');
  requireAdministrator(caller.roles);
}

/**
 * Whether the caller may use a backup. A site list contains slugs, and a deleted site may have had the same slug:
 * access to the present site grants no access to the other's backups.
 */
async function ownsBackup({ db }: BackupOperationDeps, caller: BackupCaller, { site }: Summary): Promise<boolean> {
  if (mayAll(caller)) return true;
  if (!allowsSite(caller.sites, site.slug) || decide(caller.roles, 'backups', site.slug) === 'none') return false;
  const present = await selectSiteBySlug(db, site.slug);
  return !present || present.id === site.id;
}

type Found = { site: Summary } | { installation: InstallationSummary };

/** Returns the backup of an id if the caller may see it. Throws only `not_found`, so that ids cannot be probed. */
async function findBackup(deps: BackupOperationDeps, caller: BackupCaller, id: string): Promise<Found> {
  await deps.bucket.ensure();
  const site = await findSummary(deps.bucket, id);
  if (site && (await ownsBackup(deps, caller, site))) return { site };
  const installation = seesAll(caller) ? await findInstallation(deps.bucket, id) : undefined;
  if (installation) return { installation };
  throw problem('not_found', `There is no backup ${id}.`);
}

async function requireSiteId(deps: BackupOperationDeps, slug: string): Promise<string> {
  const site = await selectSiteBySlug(deps.db, slug);
  if (!site) throw problem('not_found', `There is no site ${slug}.`);
  return site.id;
}

const selectSites = ({ db }: BackupOperationDeps) =>
  db.query<{ id: string; slug: string }>('SELECT id, slug FROM sites ORDER BY slug');

/** Returns the keys of all summaries of a slug, and of deleted sites, whose slugs only their summaries name. */
async function listKeysOfSlug(deps: BackupOperationDeps, slug: string): Promise<string[]> {
  const others = new Set((await selectSites(deps)).filter((site) => site.slug !== slug).map(({ id }) => id));
  return (await listSummaryKeys(deps.bucket)).filter((key) => !others.has(parseSummaryKey(key)!.siteId));
}

async function listBackups(deps: BackupOperationDeps, caller: BackupCaller, slug?: string): Promise<BackupRecord[]> {
  await deps.bucket.ensure();
  const records: { at: string; record: BackupRecord }[] = [];
  const keys = await (slug === undefined ? listSummaryKeys(deps.bucket) : listKeysOfSlug(deps, slug));
  for (const summary of await readSummaries(deps.bucket, keys)) {
    if (slug !== undefined && summary.site.slug !== slug) continue;
    if (!(await ownsBackup(deps, caller, summary))) continue;
    records.push({ at: summary.created_at, record: presentBackup(summary) });
  }
  if (slug === undefined && seesAll(caller)) {
    const installations = await readInstallations(deps.bucket);
    records.push(...installations.map((one) => ({ at: one.created_at, record: presentInstallation(one) })));
  }
  return records.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ record }) => record);
}

/** Reads only the names in the bucket, so that it is fast whatever the number of backups. */
async function findNewest(deps: BackupOperationDeps): Promise<NewestBackups> {
  const { bucket } = deps;
  await bucket.ensure();
  const times = await readNewestTimes({ bucket });
  const sites = await selectSites(deps);
  const ages = sites.map(({ id, slug }) => ({ site: slug, at: times.get(id) ?? null }));
  const oldest = ages.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)).slice(0, maxOldest);
  return {
    sites: sites.length,
    without: ages.filter(({ at }) => at === null).length,
    oldest: oldest.map(({ site, at }) => ({ site, newest_at: at === null ? null : formatTimestamp(new Date(at)) })),
  };
}

async function restore(
  deps: BackupOperationDeps,
  caller: BackupCaller,
  id: string,
  options: RestoreOptions,
): Promise<RestoreRecord> {
  const found = await findBackup(deps, caller, id);
  if ('site' in found) {
    if (options.as) requireSite(caller, options.as);
    return { kind: 'site', ...(await restoreBackup(deps, found.site, options)) };
  }
  if (options.as) throw problem('validation_failed', 'A backup of everything cannot become one site.');
  requireScope(caller, 'admin'); // it restores users and keys
  return { kind: 'installation', ...(await restoreInstallation(deps, found.installation)) };
}

/**
 * Creates all operations on backups, each of which first checks the scopes and the site list of its caller (spec:
 * scopes `backup:*`). The command line calls these, and so may any other code that knows its caller. They may take
 * long: a process with waiting clients should run them in another process. They throw problems of the catalogue, and
 * BackupDamaged.
 */
export function createBackupOperations(deps: BackupOperationDeps) {
  const readNewest = rememberFor(newestMs, () => findNewest(deps));
  return {
    /** `backup:read`: returns backups, newest first, of one site or of all that the caller may see. */
    async list(caller: BackupCaller, slug?: string): Promise<BackupRecord[]> {
      requireScope(caller, 'backup:read');
      if (slug !== undefined) requireSite(caller, slug);
      return listBackups(deps, caller, slug);
    },
    /** `backup:read` and every site, for administrators: returns how old the newest backups are, or were up to 30 seconds ago. */
    async newest(caller: BackupCaller): Promise<NewestBackups> {
      requireScope(caller, 'backup:read');
      requireAll(caller);
      return readNewest();
    },
    /** `backup:run`: backs up one site. */
    async backUpSite(caller: BackupCaller, slug: string, options?: { full?: boolean }): Promise<SiteBackupRecord> {
      requireScope(caller, 'backup:run');
      requireSite(caller, slug);
      return presentBackup(await createBackup(deps, await requireSiteId(deps, slug), options));
    },
    /** `backup:run` and every site: backs up everything. */
    async backUpAll(caller: BackupCaller, options?: { full?: boolean }): Promise<InstallationRecord> {
      requireScope(caller, 'backup:run');
      requireAll(caller);
      return presentInstallation(await createInstallationBackup(deps, options));
    },
    /** `backup:read`: proves that a backup can be restored. */
    async verify(caller: BackupCaller, id: string): Promise<BackupRecord> {
      requireScope(caller, 'backup:read');
      const found = await findBackup(deps, caller, id);
      if ('site' in found) {
        await verifyBackup(deps, found.site);
        return presentBackup(found.site);
      }
      await verifyInstallation(deps, found.installation);
      return presentInstallation(found.installation);
    },
    /**
     * `backup:restore`: restores a site in place or as a new one; restoring everything needs `admin` and an empty
     * installation.
     */
    async restore(caller: BackupCaller, id: string, options: RestoreOptions = {}): Promise<RestoreRecord> {
      requireScope(caller, 'backup:restore');
      return restore(deps, caller, id, options);
    },
  };
}
