import { problem } from '../../core/errors.ts';
import type { Bucket } from '../../engines/objects/bucket.ts';
import { findSummary, listSummaryKeys, readSummaries, type Summary } from './archive.ts';

export { BackupDamaged, type Summary } from './archive.ts';
export { type BackupDeps, createBackup } from './create.ts';
export { type RestoreDeps, type Restored, restoreBackup } from './restore.ts';
export { backUpDueSites } from './schedule.ts';
export { verifyBackup } from './verify.ts';

/** Every backup, newest first; of one site when its id is given. The bucket knows; the sites need not exist any more. */
export async function listBackups(bucket: Bucket, siteId?: string): Promise<Summary[]> {
  await bucket.ensure();
  const summaries = await readSummaries(bucket, await listSummaryKeys(bucket, siteId));
  return summaries.sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

/** Throws `not_found`. */
export async function requireBackup(bucket: Bucket, id: string): Promise<Summary> {
  await bucket.ensure();
  const summary = await findSummary(bucket, id);
  if (!summary) throw problem('not_found', `There is no backup ${id}.`);
  return summary;
}
