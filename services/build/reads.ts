import type { ItemInput } from './model.ts';
import { digest, homeTranslations, type PostsQuery, type SiteIndex } from './site-index.ts';

/** What a page can refer to though the site does not have it. */
export type MissingKind = 'component' | 'media';

/** The same for people. */
export const missingNames: Readonly<Record<MissingKind, string>> = { component: 'component', media: 'media item' };

/**
 * The reads that a page can make, as keys of its trace, and what each would give in a snapshot. Two snapshots that give a
 * page the same values give it the same bytes.
 */
export const reads = {
  site: 'site',
  /** Whether the build is for visitors or a preview: only pages with a failed component look different. */
  target: 'target',
  scripts: 'scripts',
  homes: 'homes',
  /** What the page is and which template makes it. */
  plan: (path: string) => `plan:${path}`,
  /** One item whole, its body included. */
  item: (id: string) => `item:${id}`,
  posts: (query: PostsQuery) => `posts:${JSON.stringify([query.locale, query.tag, query.offset, query.limit])}`,
  /** Posts of an archive page, counted from the oldest so that a new post does not move them. */
  archive: (locale: string, fromOldest: number, count: number) =>
    `archive:${JSON.stringify([locale, fromOldest, count])}`,
  postCount: (locale: string) => `post-count:${locale}`,
  pages: (locale: string) => `pages:${locale}`,
  translations: (id: string) => `translations:${id}`,
  media: (id: string) => `media:${id}`,
  /** A template, the translations or an asset of the shell; also one that is not there. */
  shell: (path: string) => `shell:${path}`,
  component: (handle: string) => `component:${handle}`,
  /** No read, but a note that goes with them: what was not there, and in which place of the page. Its value never changes. */
  missing: (place: string, kind: MissingKind, reference: string) =>
    `missing:${JSON.stringify([place, kind, reference])}`,
};

const summaries = new WeakMap<ItemInput, string>();

/** What a list shows of an item: everything but its body and the time of its last change. */
function summarize(item: ItemInput): string {
  let summary = summaries.get(item);
  if (summary === undefined) {
    const { revision: _revision, updated_at: _updatedAt, ...shown } = item;
    summary = digest(shown);
    summaries.set(item, summary);
  }
  return summary;
}

function listValue(items: readonly ItemInput[]): string {
  return digest(items.map(summarize));
}

export interface ReadSources {
  index: SiteIndex;
  siteUrl: string;
  /** The public path of a shell asset, which has the hash of its bytes in it. */
  assetPaths: ReadonlyMap<string, string>;
  /** `live` or `preview`. */
  target: string;
  /** What a page gets of a component beside its markup. */
  componentFiles: ReadonlyMap<string, unknown>;
  /** What is planned under a path. */
  planned: ReadonlyMap<string, unknown>;
}

/** What a read gives in this snapshot; equal text means equal result. */
export function createReadValues({ index, siteUrl, assetPaths, target, componentFiles, planned }: ReadSources) {
  const { inputs } = index;
  const components = new Map(
    inputs.components.map((component) => [
      component.handle,
      digest([component.compiled_hash, componentFiles.get(component.handle)]),
    ]),
  );
  const fixed: Record<string, string> = {
    [reads.site]: digest([
      inputs.site.name,
      siteUrl,
      inputs.site.default_locale,
      inputs.site.locales,
      inputs.site.settings,
    ]),
    [reads.target]: target,
    [reads.scripts]: digest(inputs.scripts),
    [reads.homes]: digest(homeTranslations(index)),
  };
  const byKind: Record<string, (name: string) => string> = {
    plan: (path) => digest(planned.get(path) ?? null),
    item(id) {
      const item = index.itemById(id);
      return item ? `${item.revision}:${item.slug}` : '';
    },
    posts(query) {
      const [locale, tag, offset, limit] = JSON.parse(query) as [string, string | null, number, number];
      return listValue(index.posts({ locale, tag, offset, limit }));
    },
    archive(slice) {
      const [locale, fromOldest, count] = JSON.parse(slice) as [string, number, number];
      const offset = index.countPosts(locale) - fromOldest - count;
      return offset < 0 ? '' : listValue(index.posts({ locale, tag: null, offset, limit: count }));
    },
    'post-count': (locale) => String(index.countPosts(locale)),
    pages: (locale) => listValue(index.pages(locale)),
    translations(id) {
      const item = index.itemById(id);
      return item ? digest(index.translations(item)) : '';
    },
    media(id) {
      const media = index.mediaById(id);
      return media ? digest([media.revision, media.alt, media.decorative, media.variants, media.focal_point]) : '';
    },
    shell: (path) => assetPaths.get(path) ?? index.shellHash(path) ?? '',
    component: (handle) => components.get(handle) ?? '',
  };
  const known = new Map<string, string>();

  return function readValue(key: string): string {
    let value = known.get(key);
    if (value === undefined) {
      const colon = key.indexOf(':');
      value = fixed[key] ?? byKind[key.slice(0, colon)]?.(key.slice(colon + 1)) ?? '';
      known.set(key, value);
    }
    return value;
  };
}
