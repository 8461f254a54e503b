import type { Bucket } from '../../engines/objects/bucket.ts';
import { listSummaryKeys, packPrefix, parseSummaryKey, readBlobMap, readSummaries } from './archive.ts';

async function listKeys(bucket: Bucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key);
  return keys;
}

/**
 * Deletes a site's oldest backups beyond `keep`, then what no backup of the site refers to any more. Belongs under the site's
 * lease: nobody is adding to them. The newest is never deleted. A manifest that cannot be read ends it before any blob goes.
 */
export async function pruneBackups(bucket: Bucket, siteId: string, keep: number, signal: AbortSignal): Promise<void> {
  const keys = await listSummaryKeys(bucket, siteId);
  const dropped = keys.slice(0, -Math.max(1, keep));
  for (const key of dropped) {
    signal.throwIfAborted();
    const { id } = parseSummaryKey(key)!;
    await bucket.remove([key]); // first, so that no half backup is ever listed
    await bucket.remove(await listKeys(bucket, `backups/${id}/`));
  }
  if (dropped.length === 0) return;
  const used = new Set<string>();
  for (const summary of await readSummaries(bucket, keys.slice(dropped.length))) {
    for (const { key } of (await readBlobMap(bucket, summary)).values()) used.add(key);
  }
  signal.throwIfAborted();
  await bucket.remove((await listKeys(bucket, packPrefix(siteId))).filter((key) => !used.has(key)));
}
