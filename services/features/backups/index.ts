/** The public interface of backups. */

export { BackupDamaged } from './archive.ts';
export { showInterval } from './metrics.ts';
export { createBackupOperations, type NewestBackups, operator, type RestoreRecord } from './operations.ts';
export { describeBackupPlace } from './place.ts';
export type { BackupRecord } from './present.ts';
export { type BackupArguments, runInWorker } from './run-in-worker.ts';
export { backUpDueInstallation, backUpDueSites } from './schedule.ts';
