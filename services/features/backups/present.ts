import { formatTimestamp } from '../../core/timestamp.ts';
import type { Summary } from './archive.ts';
import type { InstallationSummary } from './installation-archive.ts';

/** Returns the record of a site's backup. */
export function presentBackup({ id, site, installation, created_at, rows, blobs, bytes, added }: Summary) {
  return {
    id,
    kind: 'site' as const,
    site: site.slug,
    site_id: site.id,
    installation: installation ?? null,
    created_at: formatTimestamp(new Date(created_at)),
    rows,
    blobs,
    bytes,
    added,
  };
}

/** Returns the record of a backup of everything. */
export function presentInstallation({
  id,
  created_at,
  rows,
  sites,
  missing,
  blobs,
  bytes,
  added,
}: InstallationSummary) {
  return {
    id,
    kind: 'installation' as const,
    created_at: formatTimestamp(new Date(created_at)),
    sites: sites.map(({ slug, backup }) => ({ slug, backup })),
    missing: missing.map(({ slug, reason }) => ({ slug, reason })),
    rows,
    blobs,
    bytes,
    added,
  };
}

export type SiteBackupRecord = ReturnType<typeof presentBackup>;
export type InstallationRecord = ReturnType<typeof presentInstallation>;
export type BackupRecord = SiteBackupRecord | InstallationRecord;
