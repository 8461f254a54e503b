/**
 * Names and payloads of operations on backups for agents and the dashboard. The gateway awaits them, because they may
 * take long and need the store of backups. Imports nothing.
 */

export const backupOperationType = 'backupOperation';
/** How long such an operation may run. */
export const backupOperationTimeoutMs = 60 * 60_000;

export interface BackupOperationInput {
  operation: 'list' | 'newest' | 'verify' | 'create' | 'restore';
  /** The grant of an agent or a session of the dashboard, for the audit log, with its rights. */
  caller: {
    via: 'key' | 'agent' | 'dashboard';
    id: string;
    name: string;
    userId: string;
    scopes: string[];
    sites: string[];
    administrator: boolean;
    /** Slugs, or `*`, with roles. */
    roles: [string, string][];
  };
  site?: string | undefined;
  id?: string | undefined;
  /** The slug of the site to restore as. */
  as?: string | undefined;
}

export interface BackupOperationActivities {
  /** Returns the result as JSON text. Fails with the problems of the operation. */
  runBackupOperation(input: BackupOperationInput): Promise<string>;
}
