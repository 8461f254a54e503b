import { Gauge } from 'prom-client';

/** `site`: backups of each site. `all`: backups of everything. */
export type BackupKind = 'site' | 'all';

const latest = new Gauge({
  name: 'fieldstone_backup_last_success_timestamp_seconds',
  help: 'Time of the last good automatic backup (Unix time), by kind: all, or site for the site whose last backup is oldest. Reported by workers that have checked since they started.',
  labelNames: ['kind'],
});
const interval = new Gauge({
  name: 'fieldstone_backup_interval_seconds',
  help: 'Configured time between automatic backups, by kind: site or all. No value: off.',
  labelNames: ['kind'],
});

/** Records the time of the last good backup. Undefined: there is no backup. */
export function showLatest(kind: BackupKind, at: Date | undefined): void {
  if (at) latest.set({ kind }, at.getTime() / 1000);
}

/** Records how often backups are due; 0 hours: never. */
export function showInterval(kind: BackupKind, hours: number): void {
  if (hours > 0) interval.set({ kind }, hours * 3600);
}
