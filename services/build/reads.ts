import { memoOf, rememberText } from './item-memo.ts';
import type { ItemInput } from './model.ts';
import type { Planned } from './render/protocol.ts';
import { digest, homeTranslations, type PostsQuery, type SiteIndex } from './site-index.ts';

/** Kinds of things that a page can refer to though the site does not have them. */
export type MissingKind = 'component' | 'media';

/** Their names in messages. */
export const missingNames: Readonly<Record<MissingKind, string>> = { component: 'component', media: 'media item' };

/**
 * The reads that a page can make, as keys of its trace. If all its reads have the same values in two snapshots, a page
 * has the same bytes.
 */
export const reads = {
  site: 'site',
  /** `live` or `preview`; only pages with a failed component or a missing reference depend on it. */
  target: 'target',
  scripts: 'scripts',
  homes: 'homes',
  /** The page's plan and its template. */
  plan: (path: string) => `plan:${path}`,
  /** One item, including its body. */
  item: (id: string) => `item:${id}`,
  posts: (query: PostsQuery) => `posts:${JSON.stringify([query.locale, query.tag, query.offset, query.limit])}`,
  /** Posts of an archive page, counted from the oldest so that a new post does not move them. */
  archive: (locale: string, fromOldest: number, count: number) =>
    `archive:${JSON.stringify([locale, fromOldest, count])}`,
  postCount: (locale: string) => `post-count:${locale}`,
  pages: (locale: string) => `pages:${locale}`,
  translations: (id: string) => `translations:${id}`,
  media: (id: string) => `media:${id}`,
  /** A template, the translations or an asset of the shell, existing or not. */
  shell: (path: string) => `shell:${path}`,
  component: (handle: string) => `component:${handle}`,
  /** Not a read but a note stored with the reads: what was missing, and where in the page. Its value never changes. */
  missing: (place: string, kind: MissingKind, reference: string) =>
    `missing:${JSON.stringify([place, kind, reference])}`,
};

/** Digests what a list shows of an item: everything except its body and the time of its last change. */
export function summarize(item: ItemInput): string {
  const memo = memoOf(item);
  if (memo.summary === undefined) {
    const { revision: _revision, updated_at: _updatedAt, ...shown } = item;
    memo.summary = digest(shown);
  }
  return memo.summary;
}

/** Kinds of reads that concern many items. A build computes their values once; those of others cost no more than a look-up. */
const listKinds: ReadonlySet<string> = new Set(['posts', 'archive', 'pages']);

function listValue(items: readonly ItemInput[]): string {
  return digest(items.map(summarize));
}

export interface ReadSources {
  index: SiteIndex;
  siteUrl: string;
  /** Public paths of shell assets, which contain the hash of their bytes. */
  assetPaths: ReadonlyMap<string, string>;
  /** `live` or `preview`. */
  target: string;
  /** What a page needs of each component in addition to its markup. */
  componentFiles: ReadonlyMap<string, unknown>;
  /** The plan of each path. */
  planned: Planned;
}

/** Creates the function that returns the value of a read in this snapshot; equal text means an equal result. */
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
  const ofKind: Record<string, (name: string) => string> = {
    plan(path) {
      const page = planned.get(path);
      const item = page?.plan.itemId ? index.itemById(page.plan.itemId) : undefined;
      // everything else in the plan of an item's page follows from the item
      if (!item) return digest(page ?? null);
      return rememberText(item, 'planDigest', `${page!.template} ${path}`, () => digest(page));
    },
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
      if (!item) return '';
      const versions = index.translations(item);
      if (versions.length !== 1) return digest(versions);
      return rememberText(item, 'versionDigest', versions[0]!.path, () => digest(versions));
    },
    media(id) {
      const media = index.mediaById(id);
      return media ? digest([media.revision, media.alt, media.decorative, media.variants, media.focal_point]) : '';
    },
    shell: (path) => assetPaths.get(path) ?? index.shellHash(path) ?? '',
    component: (handle) => components.get(handle) ?? '',
  };
  // maps, because V8 registers every text that names a member of an object, and most keys are new texts
  const kinds = new Map(Object.entries(ofKind));
  const fixedValues = new Map(Object.entries(fixed));
  const lists = new Map<string, string>();

  return function readValue(key: string): string {
    const colon = key.indexOf(':');
    if (colon < 0) return fixedValues.get(key) ?? '';
    const kind = key.slice(0, colon);
    const read = kinds.get(kind);
    if (!read) return '';
    const name = key.slice(colon + 1);
    if (!listKinds.has(kind)) return read(name);
    const value = lists.get(key) ?? read(name);
    lists.set(key, value);
    return value;
  };
}
