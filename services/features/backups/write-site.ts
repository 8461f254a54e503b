import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { claimHosts, freeHosts, hostsOf } from '../sites/index.ts';
import { type Line, type Row, rowsOf } from './lines.ts';
import { insertRows } from './rows.ts';

/** Tables that are written unchanged; `sites`, `integrations` and `releases` need special treatment. */
const plainTables = [
  'content_types',
  'content',
  'content_field_values',
  'content_media',
  'content_revisions',
  'purged_revisions',
  'content_texts',
  'content_drafts',
  'shell_files',
  'shell_snapshots',
  'components',
  'redirects',
  'scripts',
  'media',
];

/** Revisions and pending drafts are deleted with their items. */
const clearedTables = plainTables.filter((table) => table !== 'content_revisions' && table !== 'content_drafts');

/** Deletes what a restore in place writes again. Deliveries, jobs and earlier releases stay. */
export async function clearSite(tx: Db, siteId: string): Promise<void> {
  for (const table of [...clearedTables, 'content_counts', 'content_changes'])
    await tx.query(`DELETE FROM ${table} WHERE site_id = $1`, [siteId]);
}

async function insertCounts(tx: Db, siteId: string, content: readonly Row[]): Promise<void> {
  const active = content.filter((row) => row['trashed_at'] === null).length;
  await tx.query('INSERT INTO content_counts (site_id, shard, active) VALUES ($1, 0, $2)', [siteId, active]);
}

/**
 * Drops hosts that another site has now; a site without a domain is still served under its slug. Earlier backups have
 * no aliases.
 */
function freeHostsOf(tx: Db, site: Row) {
  const domain = site['domain'] as string | null;
  const aliases = (site['aliases'] ?? []) as string[];
  return freeHosts(tx, String(site['id']), { domain, aliases });
}

/** Inserts the site's row. Throws `slug_taken`. */
export async function insertSiteRow(tx: Db, site: Row): Promise<void> {
  const taken = await tx.query('SELECT id FROM sites WHERE slug = $1', [site['slug']]);
  if (taken.length > 0) throw problem('slug_taken', `There is already a site ${site['slug']}; restore as another one.`);
  const hosts = await freeHostsOf(tx, site);
  await insertRows(tx, 'sites', [{ ...site, ...hosts, live_release: null }]);
  await claimHosts(tx, String(site['id']), hostsOf(hosts));
}

/** Resets the site's row; its slug never changes. Invalidates running builds, and what workers know of its items. */
export async function resetSiteRow(tx: Db, site: Row): Promise<void> {
  const id = String(site['id']);
  const hosts = await freeHostsOf(tx, site);
  await claimHosts(tx, id, hostsOf(hosts));
  await tx.query(
    `UPDATE sites SET name = $2, domain = $3, aliases = $4::TEXT[], default_locale = $5, locales = $6::JSONB,
       settings = $7::JSONB, content_epoch = gen_random_uuid(), updated_at = now()
     WHERE id = $1`,
    [id, site['name'], hosts.domain, hosts.aliases, site['default_locale'], site['locales'], site['settings']],
  );
}

/** Makes the release live; a running build or rollback then finds another version and changes nothing. */
export async function pointSite(tx: Db, siteId: string, releaseId: string | null): Promise<void> {
  await tx.query(
    'UPDATE releases SET replaced_at = now() WHERE id = (SELECT s.live_release FROM sites s WHERE s.id = $1)',
    [siteId],
  );
  await tx.query(
    'UPDATE sites SET live_release = $2, preview_release = NULL, version = version + 1, build_token = NULL WHERE id = $1',
    [siteId, releaseId],
  );
}

async function freeIntegrationSlug(tx: Db, slug: string): Promise<string> {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? slug : `${slug}-${n}`;
    const taken = await tx.query('SELECT id FROM integrations WHERE slug = $1', [candidate]);
    if (taken.length === 0) return candidate;
  }
}

/** Existing integrations stay unchanged, with their senders' secrets and their deliveries. */
async function insertIntegrations(tx: Db, lines: readonly Line[]): Promise<void> {
  const integrations = rowsOf(lines, 'integrations');
  const existing = await tx.query<{ id: string }>('SELECT id FROM integrations WHERE id = ANY($1::UUID[])', [
    integrations.map((row) => String(row['id'])),
  ]);
  const ids = new Set<unknown>(existing.map(({ id }) => id));
  const missing = integrations.filter((row) => !ids.has(row['id']));
  for (const row of missing) {
    await insertRows(tx, 'integrations', [{ ...row, slug: await freeIntegrationSlug(tx, String(row['slug'])) }]);
  }
  const items = rowsOf(lines, 'integration_items').filter((row) => !ids.has(row['integration_id']));
  await insertRows(tx, 'integration_items', items);
}

/** Existing endpoints also stay unchanged. */
async function insertEndpoints(tx: Db, lines: readonly Line[]): Promise<void> {
  const endpoints = rowsOf(lines, 'event_endpoints');
  const existing = await tx.query<{ id: string }>('SELECT id FROM event_endpoints WHERE id = ANY($1::UUID[])', [
    endpoints.map((row) => String(row['id'])),
  ]);
  const ids = new Set<unknown>(existing.map(({ id }) => id));
  await insertRows(
    tx,
    'event_endpoints',
    endpoints.filter((row) => !ids.has(row['id'])),
  );
}

/** Writes everything below the site's row but releases. */
export async function insertSiteContents(tx: Db, siteId: string, lines: readonly Line[]): Promise<void> {
  for (const table of plainTables) await insertRows(tx, table, rowsOf(lines, table));
  await insertIntegrations(tx, lines);
  await insertEndpoints(tx, lines);
  await insertCounts(tx, siteId, rowsOf(lines, 'content'));
}
