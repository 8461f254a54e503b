import type { Db } from '../../../core/db.ts';
import { requestRebuild } from '../../publishing/index.ts';
import { requiredTemplates } from '../describe-templates.ts';
import { type ShellLimits, withinShellLimits } from '../limits.ts';
import { insertSnapshot } from '../sql.ts';
import type { ShellWarning } from '../template-check.ts';
import { deletePaths, selectHashes, upsertShellFiles } from './sql.ts';
import type { StoredTheme, ThemeMode } from './store.ts';

/** The changes of the shell. */
export interface ThemeResult {
  mode: ThemeMode;
  /** Files in the archive; those that the shell already had with the same bytes are neither added nor changed. */
  files: number;
  added: number;
  changed: number;
  removed: number;
  /** The snapshot of the shell before the change; null when nothing changed. */
  snapshot: string | null;
  /** The rebuild that will contain the theme; null when nothing changed. */
  job: string | null;
  warnings: ShellWarning[];
}

function missingTemplates(paths: ReadonlySet<string>): ShellWarning[] {
  return requiredTemplates
    .filter((name) => !paths.has(name))
    .map((name) => ({ code: 'template_missing', message: `The shell has no ${name}, which every build needs.` }));
}

/**
 * Replaces the shell with a theme, or merges the theme into it, in the caller's transaction. Takes a snapshot first and
 * queues one rebuild, unless nothing changes. The caller has pinned the bytes. Throws `validation_failed` or
 * `too_large` when the shell would exceed its limits.
 */
export async function writeTheme(
  db: Db,
  siteId: string,
  { files, warnings }: StoredTheme,
  mode: ThemeMode,
  limits: ShellLimits,
): Promise<ThemeResult> {
  const before = await selectHashes(db, siteId);
  const paths = new Set(files.map(({ path }) => path));
  const different = files.filter(({ path, hash }) => before.get(path) !== hash);
  const added = different.filter(({ path }) => !before.has(path)).length;
  const removed = mode === 'replace' ? [...before.keys()].filter((path) => !paths.has(path)) : [];
  const remaining = mode === 'replace' ? paths : new Set([...before.keys(), ...paths]);
  const result = {
    mode,
    files: files.length,
    added,
    changed: different.length - added,
    removed: removed.length,
    warnings: [...warnings, ...missingTemplates(remaining)],
  };
  if (different.length === 0 && removed.length === 0) return { ...result, snapshot: null, job: null };
  const snapshot = await insertSnapshot(db, siteId);
  await withinShellLimits(db, siteId, limits, async () => {
    await deletePaths(db, siteId, removed);
    await upsertShellFiles(db, siteId, different);
  });
  return { ...result, snapshot: snapshot.id, job: await requestRebuild(db, siteId) };
}
