import { withCounter } from '../../core/slug.ts';
import { runAgain } from '../../engines/sql/errors.ts';
import { isReservedSlug } from '../publishing/paths.ts';
import type { WrittenContent } from './row.ts';
import type { ContentScope } from './scope.ts';
import { selectPageBySlug, selectTakenSlugs, updateContentRow } from './sql.ts';

/** The first of `base`, `base-2`, `base-3`, … that is free and no path of the site's own (contract: Slug, Public paths). */
export async function freeSlug(
  { db, site }: ContentScope,
  item: Pick<WrittenContent, 'type' | 'locale'>,
  base: string,
  exceptId: string | null,
): Promise<string> {
  const taken = new Set<string>();
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? base : withCounter(base, n);
    // a long base is cut to make room for its counter, so the rows to look at change with its length
    const stem = n === 1 ? base : candidate.slice(0, candidate.lastIndexOf('-'));
    if (!taken.has(`:${stem}`)) {
      for (const slug of await selectTakenSlugs(db, site.id, item.locale, stem, exceptId)) taken.add(slug);
      taken.add(`:${stem}`);
    }
    if (!taken.has(candidate) && !(item.type === 'page' && isReservedSlug(candidate, site))) return candidate;
  }
}

/** Gives the page of the default locale with this slug the next free one; a slug that became the site's own is not to be had. */
export async function movePageAway(scope: ContentScope, slug: string): Promise<void> {
  const page = await selectPageBySlug(scope.db, scope.site.id, scope.site.default_locale, slug);
  if (!page) return;
  const next = { ...page, slug: await freeSlug(scope, page, slug, page.id) };
  if (!(await updateContentRow(scope.db, page.id, page.revision, next, scope.changedBy))) throw runAgain();
}
