import { mediaActor } from '../../../workflows/contracts/media.ts';
import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import type { Writer } from '../../core/roles.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';
import { requireOwn } from '../access/index.ts';
import type { App } from '../app.ts';
import { isMediaLive } from '../publishing/index.ts';
import { announceReady } from './announce.ts';
import { insertMedia } from './media-state.ts';
import type { FocalPoint, MediaRow, StoredFile } from './row.ts';
import { purgeMediaRow, restoreMediaRow, selectMedia, trashMediaRow, updateDescription } from './sql.ts';

/** The caller's transaction or pool, and the site of the library. */
export interface MediaScope {
  app: Pick<App, 'objects'>;
  db: Db;
  site: Pick<Site, 'id'>;
  writer: Writer;
}

export interface CreateMedia {
  file: StoredFile;
  alt: string | null;
  decorative: boolean;
  focalPoint?: FocalPoint | null | undefined;
  sourceUrl: string | null;
  /** No alt text was written. */
  altStandIn?: boolean | undefined;
}

const what = 'media item';

/** Requires alt text for an image unless it is decorative (spec: Errors, case rule 1). Throws `validation_failed`. */
export function requireAlt(kind: string, alt: string | null, decorative: boolean): void {
  if (kind !== 'image' || decorative || (alt !== null && alt.trim() !== '')) return;
  throw invalid([{ path: 'alt', message: 'is required for an image unless decorative is true' }]);
}

/**
 * Adds a stored file to the library. Requires a transaction. Throws `validation_failed` for an image without alt text.
 * Wake the media actor after the commit (`wakeMedia`).
 */
export async function createMedia({ app, db, site, writer }: MediaScope, request: CreateMedia): Promise<MediaRow> {
  const { file, alt, decorative, focalPoint = null, sourceUrl, altStandIn = false } = request;
  requireAlt(file.kind, alt, decorative);
  await app.objects.pin(db, [file.sha256]);
  const row = await insertMedia(db, {
    ...file,
    siteId: site.id,
    alt,
    decorative,
    focalPoint,
    sourceUrl,
    altStandIn,
    createdBy: writer.userId,
  });
  if (row.status === 'ready') await announceReady(db, row);
  return row;
}

/** Wakes the actor that makes variants if the item needs any. Call it after the commit. */
export function wakeMedia({ actors }: Pick<App, 'actors'>, row: Pick<MediaRow, 'site_id' | 'work'>): void {
  if (row.work) actors.wakeActor(mediaActor(row.site_id));
}

/** Returns an item that is not in the trash. Throws `not_found`. */
export async function requireMedia({ db, site }: Pick<MediaScope, 'db' | 'site'>, id: string): Promise<MediaRow> {
  const row = await selectMedia(db, site.id, id);
  if (!row || row.trashed_at) throw notFound(what);
  return row;
}

function isSamePoint(a: FocalPoint | null, b: FocalPoint | null): boolean {
  return a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y);
}

/**
 * Throws `role_insufficient` for a writer that may change only their own items, unless this is one that no page of the live site shows:
 * such a role has no publish, and the next one would show the change (contract: People, agents and paths).
 */
export async function requireOwnMedia(
  { db, site, writer }: MediaScope,
  objects: ReadBytes,
  row: MediaRow,
): Promise<void> {
  requireOwn(writer, what, row.created_by);
  if (!writer.onlyOwn || !(await isMediaLive(db, objects, site.id, row.id))) return;
  const message = 'Pages of the live site show this item; changing it needs the role owner or editor.';
  throw problem('role_insufficient', message);
}

/**
 * Changes the description and the focal point. The alt rule applies to the result. Throws `not_found`,
 * `validation_failed`, `role_insufficient`.
 */
export async function updateMedia(
  scope: MediaScope,
  objects: ReadBytes,
  id: string,
  request: {
    alt?: string | null | undefined;
    decorative?: boolean | undefined;
    focal_point?: FocalPoint | null | undefined;
  },
): Promise<MediaRow> {
  const row = await requireMedia(scope, id);
  await requireOwnMedia(scope, objects, row);
  const { alt = row.alt, decorative = row.decorative, focal_point = row.focal_point } = request;
  requireAlt(row.kind, alt, decorative);
  // a text that is sent counts as written, even if it is the same
  const alt_stand_in = row.alt_stand_in && typeof request.alt !== 'string';
  const isSame = alt === row.alt && decorative === row.decorative && alt_stand_in === row.alt_stand_in;
  if (isSame && isSamePoint(focal_point, row.focal_point)) return row;
  const description = { alt, alt_stand_in, decorative, focal_point };
  const updated = await updateDescription(scope.db, scope.site.id, id, description);
  if (!updated) throw notFound(what);
  return updated;
}

/** Moves an item to the trash. Throws `not_found`, also for an item already in the trash, and `role_insufficient`. */
export async function trashMedia(scope: MediaScope, objects: ReadBytes, id: string): Promise<MediaRow> {
  const { db, site, writer } = scope;
  if (writer.onlyOwn) await requireOwnMedia(scope, objects, await requireMedia(scope, id));
  const row = await trashMediaRow(db, site.id, id);
  if (!row) throw notFound(what);
  return row;
}

async function requireTrashed({ db, site, writer }: Omit<MediaScope, 'app'>, id: string): Promise<MediaRow> {
  const row = await selectMedia(db, site.id, id);
  if (!row) throw notFound(what);
  requireOwn(writer, what, row.created_by);
  if (!row.trashed_at)
    throw problem('not_in_trash', 'The item is not in the trash; only items in the trash can be restored or purged.');
  return row;
}

/** Restores an item from the trash. Throws `not_found`, `not_in_trash`. */
export async function restoreMedia(scope: MediaScope, id: string): Promise<MediaRow> {
  await requireTrashed(scope, id);
  const row = await restoreMediaRow(scope.db, scope.site.id, id);
  if (!row) throw notFound(what);
  return row;
}

/**
 * Permanently deletes a trashed item. Throws `not_found`, `not_in_trash`, `in_use` while live pages show it (contract:
 * Media).
 */
export async function purgeMedia(scope: Omit<MediaScope, 'app'>, objects: ReadBytes, id: string): Promise<void> {
  await requireTrashed(scope, id);
  if (await isMediaLive(scope.db, objects, scope.site.id, id)) {
    throw problem('in_use', 'Pages of the live site show this item; remove it from them and publish, then purge it.');
  }
  if (!(await purgeMediaRow(scope.db, scope.site.id, id))) throw notFound(what);
}
