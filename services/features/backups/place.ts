import type { EngineConfig } from '../../core/config.ts';

/** Returns where backups are stored: a bucket with its endpoint, or a folder. */
export function describeBackupPlace({ backups }: Pick<EngineConfig, 'backups'>): string {
  return backups.engine === 's3' ? `${backups.endpoint}/${backups.bucket}` : backups.folder;
}
