import type { Db } from '../../core/db.ts';
import { notFound } from '../../core/errors.ts';
import type { LargeBytes } from '../../core/large-list.ts';
import { openBytes } from '../../engines/objects/large-text.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import type { App } from '../app.ts';
import { requestRebuild } from '../publishing/index.ts';
import { type ShellLimits, withinShellLimits } from './limits.ts';
import { contentTypeOf } from './paths.ts';
import {
  deleteShellFileRow,
  insertSnapshot,
  restoreFiles,
  type ShellFileRow,
  type SnapshotRow,
  selectShellFile,
  snapshotExists,
  upsertShellFile,
} from './sql.ts';
import { storeTheme, type ThemeMode } from './theme/store.ts';
import type { ThemeFile } from './theme/unpack.ts';
import { type ThemeResult, writeTheme } from './theme/write.ts';

/** Larger files are read while they are sent. */
const wholeFileBytes = 256 * 1024;

/** Reads a shell file for a response. Throws MissingObject if it is not in the store. */
export async function readShellFile(
  objects: Pick<ObjectStore, 'getBytes' | 'locate' | 'readAt'>,
  { hash, bytes }: Pick<ShellFileRow, 'hash' | 'bytes'>,
): Promise<Buffer | LargeBytes> {
  return bytes > wholeFileBytes ? openBytes(objects, hash) : objects.getBytes(hash);
}

export interface WrittenFile {
  file: ShellFileRow;
  isNew: boolean;
  /** The rebuild that will contain the write; null when the file already had these bytes (contract: shell file). */
  job: string | null;
}

/**
 * Writes one file and queues the rebuild, in the caller's transaction. Its bytes are already in the object store.
 * Throws `validation_failed` or `too_large` when the shell would exceed its limits.
 */
export async function writeShellFile(
  db: Db,
  siteId: string,
  path: string,
  stored: { hash: string; bytes: number },
  limits: ShellLimits,
): Promise<WrittenFile> {
  const before = await selectShellFile(db, siteId, path);
  if (before?.hash === stored.hash) return { file: before, isNew: false, job: null };
  const file = await withinShellLimits(db, siteId, limits, () =>
    upsertShellFile(db, siteId, { path, ...stored, content_type: contentTypeOf(path) }),
  );
  return { file, isNew: !before, job: await requestRebuild(db, siteId) };
}

/** Deletes one file and queues the rebuild. Throws `not_found`. */
export async function deleteShellFile(db: Db, siteId: string, path: string): Promise<void> {
  if (!(await deleteShellFileRow(db, siteId, path))) throw notFound('shell file');
  await requestRebuild(db, siteId);
}

/**
 * Restores a snapshot, after taking one of the current shell, so that a restore can be undone (spec: States and
 * transitions). Throws `not_found`, and as `writeShellFile`.
 */
export async function restoreSnapshot(
  db: Db,
  siteId: string,
  rev: string,
  limits: ShellLimits,
): Promise<{ snapshot: SnapshotRow; job: string }> {
  if (!(await snapshotExists(db, siteId, rev))) throw notFound('snapshot');
  const snapshot = await insertSnapshot(db, siteId);
  await withinShellLimits(db, siteId, limits, () => restoreFiles(db, siteId, rev));
  return { snapshot, job: await requestRebuild(db, siteId) };
}

/**
 * Replaces the shell of a site with a theme, or merges the theme into it, in one transaction. Wake the site's actor
 * afterwards.
 */
export async function pushTheme(
  app: Pick<App, 'config' | 'db' | 'objects' | 'templates'>,
  siteId: string,
  source: AsyncIterable<ThemeFile>,
  mode: ThemeMode,
): Promise<ThemeResult> {
  const theme = await storeTheme(app, siteId, source, mode);
  return app.db.transaction(async (tx) => {
    await app.objects.pin(tx, [...new Set(theme.files.map(({ hash }) => hash))]);
    return writeTheme(tx, siteId, theme, mode, app.config.siteLimits);
  });
}
