import type { Db } from '../../core/db.ts';

/** Deletes every host of the site that is not in `hosts`. */
export async function deleteOtherHosts(db: Db, siteId: string, hosts: readonly string[]): Promise<void> {
  await db.query('DELETE FROM site_hosts WHERE site_id = $1 AND NOT (host = ANY($2::TEXT[]))', [siteId, [...hosts]]);
}

/** Deletes rows left by a process of an earlier version, which changes a domain without changing this table. */
export async function deleteStaleHosts(db: Db, hosts: readonly string[]): Promise<void> {
  await db.query(
    `DELETE FROM site_hosts WHERE host = ANY($1::TEXT[]) AND NOT EXISTS (
       SELECT 1 FROM sites s WHERE s.id = site_hosts.site_id
         AND (s.domain = site_hosts.host OR site_hosts.host = ANY(s.aliases)))`,
    [[...hosts]],
  );
}

/** Returns those of `hosts` that another site has, as its domain or an alias. */
export async function selectHostsInUse(db: Db, siteId: string | null, hosts: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ host: string }>(
    `SELECT h.host FROM site_hosts h WHERE h.host = ANY($2::TEXT[]) AND h.site_id IS DISTINCT FROM $1::UUID
     UNION SELECT s.domain AS host FROM sites s WHERE s.domain = ANY($2::TEXT[]) AND s.id IS DISTINCT FROM $1::UUID`,
    [siteId, [...hosts]],
  );
  return rows.map(({ host }) => host);
}

/**
 * Assigns `hosts` to the site; those that it has already are checked again at once. Returns the hosts that the site has
 * now.
 */
export async function upsertHosts(db: Db, siteId: string, hosts: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ host: string }>(
    `INSERT INTO site_hosts (host, site_id) SELECT u.host, $1::UUID FROM unnest($2::TEXT[]) AS u (host)
     ON CONFLICT (host) DO UPDATE SET checks = 0, check_at = now() WHERE site_hosts.site_id = excluded.site_id
     RETURNING host`,
    [siteId, [...hosts]],
  );
  return rows.map(({ host }) => host);
}

/** Returns when hosts of these sites were proven, only for proven ones. */
export function selectProvenHosts(
  db: Db,
  siteIds: readonly string[],
): Promise<{ host: string; site_id: string; proven_at: Date }[]> {
  return db.query(
    'SELECT host, site_id, proven_at FROM site_hosts WHERE site_id = ANY($1::UUID[]) AND proven_at IS NOT NULL',
    [[...siteIds]],
  );
}

/** A host whose proof is due for a check. `checks`: number of failed checks. */
export interface DueHost {
  host: string;
  site_id: string;
  checks: number;
}

/** Returns the hosts that have waited longest, at most `limit`. */
export function selectDueHosts(db: Db, limit: number): Promise<DueHost[]> {
  return db.query(
    `SELECT host, site_id, checks FROM site_hosts WHERE proven_at IS NULL AND check_at <= now() ORDER BY check_at LIMIT $1::INT8`,
    [limit],
  );
}

/** Postpones the next check; returns false when another worker has done so first. */
export async function postponeCheck(db: Db, { host, site_id, checks }: DueHost, delayMs: number): Promise<boolean> {
  const rows = await db.query(
    `UPDATE site_hosts SET checks = checks + 1, check_at = now() + $4::INT8 * INTERVAL '1 millisecond'
     WHERE host = $1 AND site_id = $2 AND checks = $3 AND proven_at IS NULL RETURNING host`,
    [host, site_id, checks, delayMs],
  );
  return rows.length > 0;
}

export async function markProven(db: Db, { host, site_id }: DueHost): Promise<void> {
  await db.query('UPDATE site_hosts SET proven_at = now() WHERE host = $1 AND site_id = $2 AND proven_at IS NULL', [
    host,
    site_id,
  ]);
}
