import { keepLiveRevision } from '../../build/index.ts';
import { notFound, problem } from '../../core/errors.ts';
import { isUniqueViolation, serializationRetry } from '../../engines/sql/errors.ts';
import { requireOnlyTranslation } from './check-item.ts';
import { freeSlug } from './free-slug.ts';
import { requireOwnItem } from './own-item.ts';
import type { BodilessRow, ContentRow } from './row.ts';
import { type ContentScope, onCurrentSite } from './scope.ts';
import { purgeContentRow, restoreContentRow, selectBodiless, selectContent, trashContentRow } from './sql.ts';

/** Selects an item outside the trash. Throws `not_found`. */
export async function requireContent({ db, site }: Pick<ContentScope, 'db' | 'site'>, id: string): Promise<ContentRow> {
  const row = await selectContent(db, site.id, id);
  if (!row || row.trashed_at) throw notFound('content item');
  return row;
}

/** Selects an item outside the trash, without its body. Throws `not_found`. */
export async function requireBodiless(
  { db, site }: Pick<ContentScope, 'db' | 'site'>,
  id: string,
): Promise<BodilessRow> {
  const row = await selectBodiless(db, site.id, id);
  if (!row || row.trashed_at) throw notFound('content item');
  return row;
}

/** Moves an item to the trash. Throws `not_found`, also for an item that is already there. */
export async function trashContent(scope: ContentScope, id: string): Promise<ContentRow> {
  const row = await requireContent(scope, id);
  requireOwnItem(scope.writer, row);
  const trashed = await trashContentRow(scope.db, row);
  if (!trashed) throw serializationRetry();
  return trashed;
}

/**
 * Restores an item with the status it had; its slug gets a counter if another item uses it now. Throws `not_found`,
 * `not_in_trash`, `translation_taken`.
 */
export async function restoreContent(scope: ContentScope, id: string): Promise<ContentRow> {
  const row = await requireTrashed(scope, id);
  requireOwnItem(scope.writer, row);
  const { translation_of, locale } = row;
  if (translation_of) await requireOnlyTranslation(scope.db, { translation_of, locale }, id);
  const slug = await freeSlug(await onCurrentSite(scope, row), row, row.slug, id);
  try {
    const restored = await restoreContentRow(scope.db, row, slug, scope.changedBy);
    if (restored) return restored;
  } catch (error) {
    if (!isUniqueViolation(error, 'content_slug_key')) throw error;
  }
  throw serializationRetry();
}

/**
 * Deletes a trashed item permanently. `liveRevision` is the revision in the live release, if any; its page stays live
 * until the next publish. Throws `not_found`, `not_in_trash`.
 */
export async function purgeContent(scope: ContentScope, id: string, liveRevision: number | null): Promise<void> {
  requireOwnItem(scope.writer, await requireTrashed(scope, id));
  await keepLiveRevision(scope.db, scope.site.id, id, liveRevision);
  if (!(await purgeContentRow(scope.db, scope.site.id, id))) throw serializationRetry();
}

async function requireTrashed({ db, site }: ContentScope, id: string): Promise<ContentRow> {
  const row = await selectContent(db, site.id, id);
  if (!row) throw notFound('content item');
  if (!row.trashed_at)
    throw problem('not_in_trash', 'The item is not in the trash; only items in the trash can be restored or purged.');
  return row;
}
