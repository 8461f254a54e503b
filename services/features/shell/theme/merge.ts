import type { Db } from '../../../core/db.ts';
import { selectPresentFiles } from '../diff/sql.ts';
import { contentTypeOf } from '../paths.ts';
import type { StoredThemeFile } from './store.ts';

/** Returns the files of the current shell with those of a theme in their place, sorted by path. The shell does not change. */
export async function mergeIntoShell(
  db: Db,
  siteId: string,
  theme: readonly StoredThemeFile[],
): Promise<StoredThemeFile[]> {
  const present = [...(await selectPresentFiles(db, siteId))];
  const stored = present.map(([path, state]) => ({ path, ...state, content_type: contentTypeOf(path) }));
  const merged = new Map([...stored, ...theme].map((file) => [file.path, file]));
  return [...merged.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}
