export { BackupDamaged } from './archive.ts';
export { type BackupCaller, createBackupOperations, operator, type RestoreRecord } from './operations.ts';
export type { BackupRecord } from './present.ts';
export { backUpDueInstallation, backUpDueSites } from './schedule.ts';
