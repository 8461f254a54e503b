import type { Db } from '../core/db.ts';
import { edgeFreshMs } from '../core/edge-freshness.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import { createFreshCache } from './fresh-cache.ts';
import type { PointerAges } from './pointers.ts';

/** A site as the edge knows it: its names, and the manifest of its live release (null before the first publish). */
export interface LiveSite {
  id: string;
  slug: string;
  domain: string | null;
  manifest_hash: string | null;
}

/** What a host resolves to: a site, or the domain of the site that has the host as an alias. */
export type HostEntry = { site: LiveSite } | { redirectTo: string };

interface LiveSiteRow extends LiveSite {
  proven: boolean;
}

interface AliasRow {
  host: string;
  domain: string;
  proven: boolean;
}

/** The release named by a preview link. */
export interface PreviewRelease {
  id: string;
  site_id: string;
  manifest_hash: string;
}

/** A file served although the current release does not contain it. */
export interface StoredFile extends HashedPlace {
  type: string;
}

interface AssetRow {
  site_id: string;
  path: string;
  hash: string;
  bytes: number;
  content_type: string;
  object_key: string;
  object_offset: number;
}

const maxEntries = 10_000;

async function selectLiveSites(db: Db, hosts: string[], slugs: string[]): Promise<LiveSiteRow[]> {
  return db.query<LiveSiteRow>(
    `SELECT s.id, s.slug, s.domain, r.manifest_hash, h.proven_at IS NOT NULL AS proven
     FROM sites s LEFT JOIN releases r ON r.id = s.live_release
     LEFT JOIN site_hosts h ON h.host = s.domain AND h.site_id = s.id
     WHERE s.domain = ANY($1::TEXT[]) OR s.slug = ANY($2::TEXT[])`,
    [hosts, slugs],
  );
}

/** Selects hosts that are aliases; aliases of a site without a domain resolve to nothing. */
async function selectAliases(db: Db, hosts: string[]): Promise<AliasRow[]> {
  return db.query<AliasRow>(
    `SELECT h.host, s.domain, h.proven_at IS NOT NULL AS proven
     FROM site_hosts h JOIN sites s ON s.id = h.site_id
     WHERE h.host = ANY($1::TEXT[]) AND h.host = ANY(s.aliases) AND s.domain IS NOT NULL`,
    [hosts],
  );
}

async function selectPreviewReleases(db: Db, ids: string[]): Promise<PreviewRelease[]> {
  return db.query<PreviewRelease>('SELECT id, site_id, manifest_hash FROM releases WHERE id = ANY($1::UUID[])', [ids]);
}

/** Selects assets, which stay available for 24 hours after a release replaced them (contract: Public paths). */
async function selectKeptAssets(db: Db, siteIds: string[], paths: string[]): Promise<AssetRow[]> {
  return db.query<AssetRow>(
    `SELECT a.site_id, a.path, a.hash, a.bytes, a.content_type, o.object_key, o.object_offset
     FROM unnest($1::UUID[], $2::TEXT[]) AS u (site_id, path)
     JOIN site_assets a ON a.site_id = u.site_id AND a.path = u.path
     JOIN objects o ON o.hash = a.hash
     WHERE a.retired_at IS NULL OR a.retired_at > now() - INTERVAL '24 hours'`,
    [siteIds, paths],
  );
}

const namesOf = (keys: string[], prefix: string) =>
  keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));

interface HostRules {
  /** In canonical form. They never belong to a site, even if its row says so: rows may be older than the rule. */
  ownHosts: ReadonlySet<string>;
  domainProof: 'off' | 'txt';
}

interface DirectoryOptions {
  rules: HostRules;
  /** Which pointers may be served from the cache. */
  ages: PointerAges;
  onFailure: (error: unknown) => void;
}

export type SiteDirectory = ReturnType<typeof createSiteDirectory>;

/**
 * Creates lookups of sites, previews and kept assets in SQL. Each has a cache at most half a second old and runs at
 * most one statement at a time, whatever visitors send. A pointer is served from the cache only if this edge would have
 * been told of a swap since it was read (decision 0290). They reject with SourceUnavailable.
 */
export function createSiteDirectory(db: Db, { rules, ages, onFailure }: DirectoryOptions) {
  const { ownHosts, domainProof } = rules;
  const mayServe = ({ proven }: { proven: boolean }) => domainProof === 'off' || proven;

  const sites = createFreshCache<HostEntry>({
    freshMs: edgeFreshMs,
    maxEntries,
    onFailure,
    rules: {
      usableSince: ages.usableSince,
      wrongBefore: (entry) => ('site' in entry ? ages.replacedAt(entry.site.id) : Number.NEGATIVE_INFINITY),
      joinableSince: ages.lastPushAt,
      // a swap may give a site the host or slug that had no site, or was an alias
      changesWithAnySwap: (entry) => entry === null || 'redirectTo' in entry,
    },
    async load(keys) {
      const found = new Map<string, HostEntry>();
      const hosts = namesOf(keys, 'host:');
      for (const row of await selectLiveSites(db, hosts, namesOf(keys, 'slug:'))) {
        const entry = { site: row };
        found.set(`slug:${row.slug}`, entry);
        if (row.domain && mayServe(row)) found.set(`host:${row.domain}`, entry);
      }
      const others = hosts.filter((host) => !found.has(`host:${host}`));
      const aliases = others.length > 0 ? await selectAliases(db, others) : [];
      for (const alias of aliases.filter(mayServe)) found.set(`host:${alias.host}`, { redirectTo: alias.domain });
      return found;
    },
  });
  const previews = createFreshCache<PreviewRelease>({
    freshMs: edgeFreshMs,
    maxEntries,
    onFailure,
    async load(keys) {
      return new Map((await selectPreviewReleases(db, keys)).map((release) => [release.id, release]));
    },
  });
  const assets = createFreshCache<StoredFile>({
    freshMs: edgeFreshMs,
    maxEntries,
    onFailure,
    async load(keys) {
      const rows = await selectKeptAssets(
        db,
        keys.map((key) => key.slice(0, 36)),
        keys.map((key) => key.slice(36)),
      );
      return new Map(
        rows.map((row) => [
          row.site_id + row.path,
          { hash: row.hash, bytes: row.bytes, type: row.content_type, key: row.object_key, offset: row.object_offset },
        ]),
      );
    },
  });
  return {
    /** Returns what a host in canonical form resolves to; null without a query for the service's own hosts and ''. */
    byHost: (host: string) => (host === '' || ownHosts.has(host) ? null : sites.get(`host:${host}`)),
    bySlug: (slug: string) => sites.get(`slug:${slug}`),
    /** Returns whether the host is known to belong to a site, without a query. */
    isKnownHost: (host: string) => !ownHosts.has(host) && Boolean(sites.peek(`host:${host}`)),
    previewRelease: (releaseId: string) => previews.get(releaseId),
    /** Returns a hashed asset of the live release or of one replaced less than 24 hours ago. */
    keptAsset: (siteId: string, path: string) => assets.get(siteId + path),
  };
}
