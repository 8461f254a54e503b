import type { BackupOperationInput } from '../contracts/backup-operation.ts';
import type { ActorRuntime } from '../contracts/runtime.ts';

/** Runs one operation on backups for a waiting agent. Resolves to its result as JSON text. */
export async function backupOperation(runtime: ActorRuntime, input: BackupOperationInput): Promise<string> {
  return runtime.call('runBackupOperation', input);
}
