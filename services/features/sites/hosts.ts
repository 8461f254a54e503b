import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { type ErrorDetail, invalid, type Problem, problem } from '../../core/errors.ts';
import { ownHosts } from '../../core/hosts.ts';
import type { Site } from '../../core/http.ts';
import { deleteOtherHosts, deleteStaleHosts, selectHostsInUse, upsertHosts } from './hosts-sql.ts';

type SiteHosts = Pick<Site, 'domain' | 'aliases'>;

/** Returns the hosts of a site, its domain first. */
export const hostsOf = ({ domain, aliases }: SiteHosts): string[] => (domain ? [domain, ...aliases] : [...aliases]);

export const hostInUse = (host: string): Problem =>
  problem('domain_taken', `The host name ${host} belongs to another site.`);

function* faultsOf({ domain, aliases }: SiteHosts, config: Pick<Config, 'url' | 'edgeUrl'>): Generator<ErrorDetail> {
  const own = ownHosts(config);
  if (domain && own.has(domain)) yield { path: 'domain', message: 'is a host of the service itself' };
  for (const [index, alias] of aliases.entries()) {
    const path = `aliases.${index}`;
    if (own.has(alias)) yield { path, message: 'is a host of the service itself' };
    if (alias === domain) yield { path, message: 'is the domain of the site' };
    if (aliases.indexOf(alias) < index) yield { path, message: 'is in the list already' };
  }
  if (aliases.length > 0 && !domain) yield { path: 'aliases', message: 'require a domain, to which they redirect' };
}

/** Throws `validation_failed` for hosts that a site may not have together, or not at all (contract: Domains). */
export function requireAllowedHosts(site: SiteHosts, config: Pick<Config, 'url' | 'edgeUrl'>): void {
  const faults = [...faultsOf(site, config)];
  if (faults.length > 0) throw invalid(faults);
}

/** Throws `domain_taken` when another site has one of the hosts. `claimHosts` resolves concurrent requests. */
export async function requireFreeHosts(db: Db, siteId: string | null, hosts: readonly string[]): Promise<void> {
  if (hosts.length === 0) return;
  await deleteStaleHosts(db, hosts);
  const [used] = await selectHostsInUse(db, siteId, hosts);
  if (used !== undefined) throw hostInUse(used);
}

/**
 * Assigns exactly `hosts` to the site, in the caller's transaction, which has written the site's row already; the
 * table's key allows each host once. Throws `domain_taken`.
 */
export async function claimHosts(db: Db, siteId: string, hosts: readonly string[]): Promise<void> {
  await deleteOtherHosts(db, siteId, hosts);
  if (hosts.length === 0) return;
  const claimed = new Set(await upsertHosts(db, siteId, hosts));
  const lost = hosts.find((host) => !claimed.has(host));
  if (lost !== undefined) throw hostInUse(lost);
}

/**
 * Returns those of a site's hosts that no other site has, for a restored site; without its domain it has no aliases
 * either.
 */
export async function freeHosts(db: Db, siteId: string, { domain, aliases }: SiteHosts): Promise<SiteHosts> {
  const hosts = hostsOf({ domain, aliases });
  if (hosts.length === 0) return { domain, aliases };
  await deleteStaleHosts(db, hosts);
  const used = new Set(await selectHostsInUse(db, siteId, hosts));
  if (!domain || used.has(domain)) return { domain: null, aliases: [] };
  return { domain, aliases: aliases.filter((alias) => !used.has(alias)) };
}
