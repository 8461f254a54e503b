import { replaceAt } from '../../core/json-pointers.ts';
import { markSafe, type SafeHtml } from '../../twig/index.ts';
import type { ItemInput } from '../model.ts';
import type { PagePlan } from '../page-plan.ts';
import { reads } from '../reads.ts';
import { homeTranslations, type PostsQuery, type Translation } from '../site-index.ts';
import type { PageEmbeds } from './page-embeds.ts';
import type { PageLog, RenderData } from './page-log.ts';

/**
 * Creates the variables of a page, and the lists of items for its functions. Reads are recorded when a template
 * accesses a value.
 */
export function createPageVariables(data: RenderData, page: PagePlan, log: PageLog, embeds: PageEmbeds) {
  const { index, siteUrl } = data;
  const { locale } = page;

  function presentTranslation({ locale: language, path, title }: Translation) {
    return { locale: language, url: siteUrl + encodeURI(path), title, path };
  }

  /** Returns an item as templates see it: its record, and members computed on access. */
  function present(item: ItemInput) {
    log.listed.add(item.id);
    const { order: _order, revision: _revision, html_fields, ...record } = item;
    const path = index.pathOf(item);
    const url = siteUrl + encodeURI(path);
    let body: SafeHtml | undefined;
    return {
      ...record,
      path,
      url,
      canonical: item.canonical_url ?? url,
      fields: replaceAt(item.fields, html_fields, (text) => markSafe(String(text))),
      get body() {
        return (body ??= markSafe(embeds.expandItem(item)));
      },
      get body_html() {
        return markSafe(embeds.bodyOf(item));
      },
      get updated_at() {
        log.reads.add(reads.item(item.id));
        return item.updated_at;
      },
      get translations() {
        log.reads.add(reads.translations(item.id));
        return index.translations(item).map(presentTranslation);
      },
    };
  }

  function presentPage(): Record<string, unknown> {
    if (page.itemId !== null) {
      const item = index.itemById(page.itemId)!;
      log.reads.add(reads.item(item.id));
      return present(item);
    }
    if (page.kind === 'not_found') return { canonical: null, url: null, translations: [] };
    const url = siteUrl + encodeURI(page.path);
    const isHome = page.kind === 'home';
    return {
      canonical: url,
      url,
      path: page.path,
      get translations() {
        if (!isHome) return [];
        log.reads.add(reads.homes);
        const homes = homeTranslations(index);
        return homes.length > 1 ? homes.map(presentTranslation) : [];
      },
    };
  }

  function presentPagination() {
    const slice = page.archive;
    if (!slice) return undefined;
    const { page: number, total_pages, per_page, prev, next, fromOldest, count } = slice;
    const newest = (total: number) => total - fromOldest - count;
    return {
      page: number,
      total_pages,
      per_page,
      prev_url: prev === null ? null : embeds.link(prev),
      next_url: next === null ? null : embeds.link(next),
      get total() {
        log.reads.add(reads.postCount(locale));
        return index.countPosts(locale);
      },
      get items() {
        log.reads.add(reads.archive(locale, fromOldest, count));
        const query = { locale, tag: null, offset: newest(index.countPosts(locale)), limit: count };
        return index.posts(query).map(present);
      },
    };
  }

  return {
    page: presentPage(),
    pagination: presentPagination(),
    listPosts(query: PostsQuery) {
      log.reads.add(reads.posts(query));
      return index.posts(query).map(present);
    },
    listPages(language: string) {
      log.reads.add(reads.pages(language));
      return index.pages(language).map(present);
    },
  };
}

export type PageVariables = ReturnType<typeof createPageVariables>;
