import type { KeyedStore } from '../../engines/objects/keyed-store.ts';
import {
  documentPrefix,
  listKeys,
  listSummaryKeys,
  packPrefix,
  parseSummaryKey,
  readBlobMap,
  readSummaries,
} from './archive.ts';

/**
 * Deletes backups of a site, then the blobs that none of its backups refers to any more. Requires the site's lease, so
 * that none are added meanwhile. An unreadable manifest stops it before any blob is deleted.
 */
export async function dropBackups(
  bucket: KeyedStore,
  siteId: string,
  dropped: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  if (dropped.length === 0) return;
  for (const key of dropped) {
    signal.throwIfAborted();
    await bucket.remove([key]); // first, so that no partial backup is ever listed
    await bucket.remove(await listKeys(bucket, documentPrefix(parseSummaryKey(key)!.id)));
  }
  const used = new Set<string>();
  for (const summary of await readSummaries(bucket, await listSummaryKeys(bucket, siteId))) {
    for (const { key } of (await readBlobMap(bucket, summary)).values()) used.add(key);
  }
  signal.throwIfAborted();
  await bucket.remove((await listKeys(bucket, packPrefix(siteId))).filter((key) => !used.has(key)));
}

/**
 * Deletes a site's oldest backups beyond `keep`. Never deletes the newest; backups that belong to one of the whole
 * installation are deleted only with it. Requires the site's lease.
 */
export async function pruneBackups(
  bucket: KeyedStore,
  siteId: string,
  keep: number,
  signal: AbortSignal,
): Promise<void> {
  const keys = await listSummaryKeys(bucket, siteId);
  const own = keys.filter((key) => parseSummaryKey(key)!.installation === null);
  await dropBackups(bucket, siteId, own.slice(0, -Math.max(1, keep)), signal);
}
