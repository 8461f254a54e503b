import type { Db } from '../../../core/db.ts';
import { invalid, notFound, problem } from '../../../core/errors.ts';
import type { ReadBytes } from '../../../engines/objects/held-objects.ts';
import { lockRow } from '../../../engines/sql/lock-row.ts';
import { announceReady } from '../announce.ts';
import { type MediaScope, requireAlt, requireMedia, requireOwnMedia, updateMedia } from '../library.ts';
import { replaceVersion } from '../media-state.ts';
import type { FocalPoint, MediaRow, MediaVersion, StoredFile } from '../row.ts';

const what = 'media item';

export interface ReplaceMedia {
  file: StoredFile;
  /** What is absent stays. */
  alt?: string | null | undefined;
  decorative?: boolean | undefined;
  focal_point?: FocalPoint | null | undefined;
}

/** Returns the current values of the columns that a replacement changes. Unfinished processing starts again. */
function versionOf(row: MediaRow): MediaVersion {
  const { filename, mime_type, bytes, sha256, width, height, duration, variants, placeholder } = row;
  const { alt, alt_stand_in, decorative, focal_point, status, error, work } = row;
  const file = { filename, mime_type, bytes, sha256, width, height, duration, variants, placeholder };
  return { ...file, alt, alt_stand_in, decorative, focal_point, status, error, work };
}

async function requireLocked(scope: MediaScope, objects: ReadBytes, id: string): Promise<MediaRow> {
  await lockRow(scope.db, 'media', { id });
  const row = await requireMedia(scope, id);
  await requireOwnMedia(scope, objects, row);
  return row;
}

async function save(db: Db, row: MediaRow, next: MediaVersion, previous: MediaVersion | null): Promise<MediaRow> {
  const saved = await replaceVersion(db, row, next, previous);
  if (!saved) throw notFound(what);
  if (saved.status === 'ready' && !saved.work) await announceReady(db, saved);
  return saved;
}

const article = { image: 'an image', video: 'a video', file: 'a file that is neither image nor video' };

/**
 * Gives an item the bytes of another file, under the same id. Keeps the former file, until the next replacement, to undo it. The same
 * bytes change nothing but the description, unless the work on them failed: then it is done again. `source_url` stays, so that a delivery that names it again finds this item. Requires a
 * transaction; call `wakeMedia` after the commit. Throws `not_found`, `role_insufficient`, and `validation_failed` for a file of another
 * kind or an image without alt text.
 */
export async function replaceMedia(
  scope: MediaScope,
  objects: ReadBytes,
  id: string,
  { file, ...description }: ReplaceMedia,
): Promise<MediaRow> {
  const row = await requireLocked(scope, objects, id);
  if (file.kind !== row.kind)
    throw invalid([{ path: 'file', message: `must be ${article[row.kind]}, as the one that it replaces` }]);
  const isSameFile = file.sha256 === row.sha256;
  if (isSameFile && row.status !== 'failed') return updateMedia(scope, objects, id, description);
  const { alt = row.alt, decorative = row.decorative, focal_point = row.focal_point } = description;
  requireAlt(row.kind, alt, decorative);
  await scope.app.objects.pin(scope.db, [file.sha256]);
  const { kind: _kind, ...members } = file;
  const next: MediaVersion = {
    ...members,
    duration: null,
    variants: [],
    placeholder: null,
    error: null,
    status: file.work ? 'processing' : 'ready',
    alt,
    alt_stand_in: row.alt_stand_in && typeof description.alt !== 'string',
    decorative,
    focal_point,
  };
  return save(scope.db, row, next, isSameFile ? row.previous : versionOf(row));
}

/**
 * Brings back the file and description before the last replacement; undoing twice brings the replacement back. Requires a transaction;
 * call `wakeMedia` after the commit. Throws `not_found`, `role_insufficient`, and `conflict` if the file was never replaced.
 */
export async function undoReplacement(scope: MediaScope, objects: ReadBytes, id: string): Promise<MediaRow> {
  const row = await requireLocked(scope, objects, id);
  if (!row.previous) throw problem('conflict', 'The file of this item was never replaced.');
  const hashes = [row.previous.sha256, ...row.previous.variants.map(({ hash }) => hash)];
  await scope.app.objects.pin(scope.db, hashes);
  return save(scope.db, row, row.previous, versionOf(row));
}
