import type { ObjectStore } from '../../engines/objects/store.ts';
import { findHashes } from '../collection/index.ts';
import { type Line, rowsOf } from './lines.ts';
import { type Renames, renameIn } from './transform.ts';

/** Returns the hashes of objects whose text may refer to rows of the site: templates, components, large bodies. */
function textObjects(lines: readonly Line[]): Set<string> {
  const named = (table: string, columns: readonly string[]) =>
    rowsOf(lines, table).flatMap((row) => columns.flatMap((column) => findHashes(String(row[column] ?? ''))));
  const templates = rowsOf(lines, 'shell_files').filter((row) => String(row['path']).endsWith('.twig'));
  const snapshots = rowsOf(lines, 'shell_snapshots').flatMap((row) =>
    Object.entries(JSON.parse(String(row['manifest'])) as Record<string, { hash: string }>)
      .filter(([path]) => path.endsWith('.twig'))
      .map(([, { hash }]) => hash),
  );
  return new Set([
    ...templates.map((row) => String(row['hash'])),
    ...snapshots,
    ...named('content', ['body_hash']),
    ...named('content_revisions', ['body_hash']),
    ...named('purged_revisions', ['body_hash']),
    ...named('content_drafts', ['body_hash']),
    ...named('components', ['source_hash', 'compiled_hash']),
  ]);
}

/**
 * Replaces the ids of rows in stored texts, and returns new hashes by old ones. All ids have the same length, so the
 * sizes do not change.
 */
export async function renameTextObjects(
  objects: ObjectStore,
  lines: readonly Line[],
  ids: Renames,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const hash of textObjects(lines)) {
    const text = (await objects.getBytes(hash)).toString('utf8');
    const renamed = renameIn(text, ids);
    if (renamed !== text) hashes.set(hash, await objects.putBytes(Buffer.from(renamed)));
  }
  return hashes;
}
