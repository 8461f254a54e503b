import { comparePaths, readDiffering } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';

/** Compares the replies of two releases that were live, by path. Throws `not_found` and MissingObject. */
export async function compareReleases(
  db: Db,
  objects: ReadBytes,
  siteId: string,
  { from, to }: { from: string; to: string },
): Promise<ReturnType<typeof comparePaths>> {
  const rows = await db.query<{ id: string; manifest_hash: string }>(
    'SELECT id, manifest_hash FROM releases WHERE site_id = $1 AND id = ANY($2::UUID[]) AND preview = false',
    [siteId, [from, to]],
  );
  const hashOf = (id: string): string => {
    const row = rows.find((one) => one.id === id);
    if (!row) throw notFound('release');
    return row.manifest_hash;
  };
  const { before, now } = await readDiffering(objects, { before: hashOf(from), now: hashOf(to) });
  return comparePaths(before, now);
}
