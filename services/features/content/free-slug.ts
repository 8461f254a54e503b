import { withCounter } from '../../core/slug.ts';
import { runAgain } from '../../engines/sql/errors.ts';
import { isReservedSlug } from '../publishing/paths.ts';
import type { WrittenContent } from './row.ts';
import type { ContentScope } from './scope.ts';
import { selectPageBySlug, selectTakenSlugs, updateContentRow } from './sql.ts';

/** Looked at with the first question; each later one asks for four times as many, up to a bound. */
const firstCandidates = 16;
const maxCandidates = 1024;

/**
 * The first of `base`, `base-2`, `base-3`, … that is free and no path of the site's own (contract: Slug, Public paths). It asks for
 * these very slugs: what else begins with `base-` can be half the site.
 */
export async function freeSlug(
  { db, site }: ContentScope,
  item: Pick<WrittenContent, 'type' | 'locale'>,
  base: string,
  exceptId: string | null,
): Promise<string> {
  const isOpen = (slug: string) => item.type !== 'page' || !isReservedSlug(slug, site);
  for (let first = 1, count = firstCandidates; ; first += count, count = Math.min(count * 4, maxCandidates)) {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const candidates = numbers.map((n) => (n === 1 ? base : withCounter(base, n)));
    const taken = await selectTakenSlugs(db, site.id, item.locale, candidates, exceptId);
    const free = candidates.find((slug) => !taken.has(slug) && isOpen(slug));
    if (free !== undefined) return free;
  }
}

/** Gives the page of the default locale with this slug the next free one; a slug that became the site's own is not to be had. */
export async function movePageAway(scope: ContentScope, slug: string): Promise<void> {
  const page = await selectPageBySlug(scope.db, scope.site.id, scope.site.default_locale, slug);
  if (!page) return;
  const next = { ...page, slug: await freeSlug(scope, page, slug, page.id) };
  if (!(await updateContentRow(scope.db, page, next, scope.changedBy))) throw runAgain();
}
