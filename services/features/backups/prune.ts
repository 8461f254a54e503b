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
 * Deletes backups of a site, then what no backup of it refers to any more. Belongs under the site's lease: nobody is adding to
 * them. A manifest that cannot be read ends it before any blob goes.
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
    await bucket.remove([key]); // first, so that no half backup is ever listed
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
 * Deletes a site's oldest backups beyond `keep`. The newest is never deleted, and those that belong to a backup of the whole
 * installation go only with it. Belongs under the site's lease.
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
