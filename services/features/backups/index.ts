/** The door of backups: what other folders use of it. */
export { createBackupOperations, operator, type RestoreRecord } from './operations.ts';
export type { BackupRecord } from './present.ts';
export { backUpDueInstallation, backUpDueSites } from './schedule.ts';
