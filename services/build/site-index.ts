import { hash } from 'node:crypto';
import { itemPath, localePrefix } from '../core/public-paths.ts';
import { type ItemLists, listItems } from './item-lists.ts';
import type { BuildInputs, ItemInput, MediaInput } from './model.ts';

export interface PostsQuery {
  limit: number;
  offset: number;
  tag: string | null;
  locale: string;
}

export interface Translation {
  locale: string;
  path: string;
  title: string;
}

/** Indexes of a snapshot, for the reads of templates. Templates have no other access to the snapshot. */
export interface SiteIndex {
  inputs: BuildInputs;
  lists: ItemLists;
  /** All types and locales, newest first. */
  items: ItemInput[];
  itemById(id: string): ItemInput | undefined;
  pathOf(item: ItemInput): string;
  posts(query: PostsQuery): ItemInput[];
  countPosts(locale: string): number;
  pages(locale: string): ItemInput[];
  /** Every language version of an item, including itself, in the order of the site's locales. */
  translations(item: ItemInput): Translation[];
  mediaById(id: string): MediaInput | undefined;
  shellHash(path: string): string | undefined;
}

/** Indexes a snapshot. `lists`: those of its items, if the caller has them. */
export function createSiteIndex(
  inputs: BuildInputs,
  lists: ItemLists = listItems(inputs.items, inputs.site),
): SiteIndex {
  const { site } = inputs;
  const { items, byId, posts: postsByLocale, pages: pagesByLocale, versions: versionsOf } = lists;
  const media = new Map(inputs.media.map((entry) => [entry.id, entry]));
  const shell = new Map(inputs.shell.map((file) => [file.path, file.hash]));
  const byTag = new Map<string, { found: ItemInput[]; seen: number }>();

  /** Returns the posts with a tag, the newest first: at least `count` of them, if the site has them. */
  function tagged(locale: string, tag: string, count: number): ItemInput[] {
    const key = `${locale}\0${tag}`;
    const list = byTag.get(key) ?? { found: [], seen: 0 };
    byTag.set(key, list);
    const all = postsByLocale.get(locale) ?? [];
    while (list.found.length < count && list.seen < all.length) {
      const item = all[list.seen++]!;
      if (item.tags.includes(tag)) list.found.push(item);
    }
    return list.found;
  }

  return {
    inputs,
    lists,
    items,
    itemById: (id) => byId.get(id),
    pathOf: (item) => itemPath(item, site),
    posts({ limit, offset, tag, locale }) {
      const all = tag === null ? (postsByLocale.get(locale) ?? []) : tagged(locale, tag, offset + limit);
      return all.slice(offset, offset + limit);
    },
    countPosts: (locale) => postsByLocale.get(locale)?.length ?? 0,
    pages: (locale) => pagesByLocale.get(locale) ?? [],
    translations: (item) =>
      versionsOf(item).map((version) => ({
        locale: version.locale,
        path: itemPath(version, site),
        title: version.title,
      })),
    mediaById: (id) => media.get(id),
    shellHash: (path) => shell.get(path),
  };
}

/** Returns the home pages of all locales, for the language links of pages without an item. */
export function homeTranslations({ inputs: { site } }: SiteIndex): Translation[] {
  return site.locales.map(({ locale }) => ({ locale, path: localePrefix(locale, site), title: site.name }));
}

export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);
}
