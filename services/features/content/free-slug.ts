import { isReservedSlug } from '../../core/public-paths.ts';
import { findFreeSlug } from '../../core/slug.ts';
import { serializationRetry } from '../../engines/sql/errors.ts';
import type { WrittenContent } from './row.ts';
import type { ContentScope } from './scope.ts';
import { selectPageBySlug, selectTakenSlugs, updateContentRow } from './sql.ts';

/**
 * Returns the first of `base`, `base-2`, `base-3`, … that is neither in use nor a reserved path of the site (contract:
 * Slug, Public paths).
 */
export function freeSlug(
  { db, site }: ContentScope,
  item: Pick<WrittenContent, 'type' | 'locale'>,
  base: string,
  exceptId: string | null,
): Promise<string> {
  return findFreeSlug(
    base,
    (candidates) => selectTakenSlugs(db, site.id, item.locale, candidates, exceptId),
    (slug) => item.type !== 'page' || !isReservedSlug(slug, site),
  );
}

/** Moves the page of the default locale with this slug, which the site now reserves, to the next free slug. */
export async function movePageAway(scope: ContentScope, slug: string): Promise<void> {
  const page = await selectPageBySlug(scope.db, scope.site.id, scope.site.default_locale, slug);
  if (!page) return;
  const next = { ...page, slug: await freeSlug(scope, page, slug, page.id) };
  if (!(await updateContentRow(scope.db, page, next, scope.changedBy))) throw serializationRetry();
}
