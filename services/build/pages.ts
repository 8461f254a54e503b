import { archivePath, localePrefix } from '../core/public-paths.ts';
import { planArchive, postsPerPage } from './archive.ts';
import { memoOf } from './item-memo.ts';
import type { ItemInput } from './model.ts';
import type { PagePlan } from './page-plan.ts';
import type { SiteIndex } from './site-index.ts';

export const notFoundFile = '404.html';

function itemTemplates(type: string): string[] {
  return type === 'page' ? ['page.twig'] : [`${type}.twig`, 'page.twig'];
}

function planArchives(index: SiteIndex, locale: string): PagePlan[] {
  const { site } = index.inputs;
  const perPage = postsPerPage(site.settings);
  const total = index.countPosts(locale);
  const pages = planArchive(total, perPage);
  const pathAt = (position: number) => {
    const page = pages[position - 1];
    return page ? archivePath(page.number, locale, site) : null;
  };
  return pages.map(({ number, position, start, end }) => ({
    path: archivePath(number, locale, site),
    locale,
    kind: 'archive',
    templates: ['archive.twig'],
    itemId: null,
    archive: {
      fromOldest: total - end,
      count: end - start,
      page: position,
      total_pages: pages.length,
      per_page: perPage,
      prev: pathAt(position - 1),
      next: pathAt(position + 1),
    },
  }));
}

/** Returns the plan of an item's page, which follows from the item and the site's default locale: an item keeps it. */
export function planItem(item: ItemInput, index: SiteIndex): PagePlan {
  const { default_locale: defaultLocale } = index.inputs.site;
  const memo = memoOf(item);
  const known = memo.plan;
  if (known?.defaultLocale === defaultLocale) return known.plan;
  const own = { path: index.pathOf(item), locale: item.locale, templates: itemTemplates(item.type), itemId: item.id };
  const plan: PagePlan = { ...own, kind: 'item', archive: null };
  memo.plan = { defaultLocale, plan };
  return plan;
}

/** Lists the pages that are neither of items nor feeds, per locale. */
export function planOwnPages(index: SiteIndex): PagePlan[] {
  const { site } = index.inputs;
  return site.locales.flatMap(({ locale }): PagePlan[] => {
    const prefix = localePrefix(locale, site);
    const shared = { locale, itemId: null, archive: null };
    return [
      { ...shared, path: prefix, kind: 'home', templates: ['home.twig'] },
      ...planArchives(index, locale),
      { ...shared, path: prefix + notFoundFile, kind: 'not_found', templates: ['404.twig'] },
    ];
  });
}

function planFeeds({ inputs: { site } }: SiteIndex): PagePlan[] {
  const shared = { kind: 'feed' as const, templates: [], itemId: null, archive: null };
  return site.locales.map(({ locale }) => ({ ...shared, path: `${localePrefix(locale, site)}feed.xml`, locale }));
}

/**
 * Lists every page of a release, per locale (contract: What is published, Public paths). Slugs are unique, so two items
 * never have one path; if an item has the path of a page of the site itself, the site's page wins. Feeds come last:
 * they repeat other pages, and a fault should name the other page.
 */
export function planPages(index: SiteIndex): PagePlan[] {
  const byPath = new Map<string, PagePlan>();
  const add = (plan: PagePlan) => byPath.has(plan.path) || byPath.set(plan.path, plan);
  for (const plan of planOwnPages(index)) add(plan);
  for (const item of index.items) add(planItem(item, index));
  for (const plan of planFeeds(index)) add(plan);
  return [...byPath.values()];
}
