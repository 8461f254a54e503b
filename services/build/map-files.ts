import { localePrefix } from '../core/public-paths.ts';
import { type Block, makeBlocks } from './blocks.ts';
import { generatedFile, type ReleaseFile } from './generated-file.ts';
import { type ItemDifferences, type ItemLists, newestFirst, shownOf } from './item-lists.ts';
import type { ItemInput } from './model.ts';
import { notFoundFile } from './pages.ts';
import { homeTranslations, type SiteIndex } from './site-index.ts';
import { renderEntry, renderRobots, renderSitemapIndex, renderUrlSet } from './sitemap.ts';
import { applyEdits, findEdits } from './sorted-edits.ts';

/** Returns whether the item's page is its own canonical page; sitemaps list only such pages. */
function isCanonical({ canonical_url: named }: ItemInput, url: string): boolean {
  return named === null || new URL(named).href === new URL(url).href;
}

/** The sitemap of a release: the entry of each item, in the order of the index, and the files. */
export interface Sitemap {
  /** Empty for an item that is not in the sitemap. */
  entries: readonly string[];
  parts: readonly Block<string, ReleaseFile>[];
}

/** The sitemap of an earlier release, whose sources differ only in these items and media. */
export interface EarlierSitemap {
  sitemap: Sitemap;
  lists: ItemLists;
  differences: ItemDifferences;
}

/** Maximum of the sitemap protocol per file. */
const maxUrls = 50_000;
/** Entries of a part, if there is more than one: a change of a page writes its part again. */
const urlsPerPart = 10_000;
const mapType = 'application/xml; charset=utf-8';

/** Returns the function that renders an item's entry; its text is empty for an item whose page names another as canonical. */
function createEntryWriter(index: SiteIndex, siteUrl: string): (item: ItemInput) => string {
  const hasLanguages = index.inputs.site.locales.length > 1;
  const absolute = (path: string) => siteUrl + encodeURI(path);
  return (item) => {
    const url = absolute(index.pathOf(item));
    if (!isCanonical(item, url)) return '';
    const versions = hasLanguages ? index.translations(item) : [];
    const alternates = versions.map(({ locale, path }) => ({ locale, url: absolute(path) }));
    return renderEntry({ url, updatedAt: item.updated_at, alternates });
  };
}

/** Returns the entries of all items, those of an earlier release where they are the same. */
function itemEntries(index: SiteIndex, siteUrl: string, earlier: EarlierSitemap | null): string[] {
  const write = createEntryWriter(index, siteUrl);
  if (!earlier || earlier.differences.versionsDiffer) return index.items.map(write);
  const { sitemap, lists, differences } = earlier;
  return applyEdits(
    sitemap.entries,
    findEdits(lists.items, shownOf(differences, index.inputs.site), newestFirst),
    write,
  );
}

/** Makes `/sitemap.xml`, or the parts that it lists for a very large site. */
export function makeSitemap(index: SiteIndex, siteUrl: string, earlier: EarlierSitemap | null = null): Sitemap {
  const homes = homeTranslations(index).map(({ locale, path }) => ({ locale, url: siteUrl + encodeURI(path) }));
  const own = homes.map(({ url }) => renderEntry({ url, updatedAt: null, alternates: homes }));
  const entries = itemEntries(index, siteUrl, earlier);
  const all = [...own, ...entries.filter((entry) => entry !== '')];
  const isOne = all.length <= maxUrls;
  const size = isOne ? maxUrls : urlsPerPart;
  const pathOf = (number: number) => (isOne ? '/sitemap.xml' : `/sitemap-${number + 1}.xml`);
  const make = (part: readonly string[], number: number) =>
    generatedFile(pathOf(number), Buffer.from(renderUrlSet(part)), mapType);
  const parts = earlier?.sitemap.parts ?? [];
  const hasPaths = parts.length > 1 !== isOne;
  return { entries, parts: makeBlocks(all, size, hasPaths ? parts : [], make) };
}

/** Returns the sitemap without the bytes of its files, to start the next one from. */
export function withoutBytes({ entries, parts }: Sitemap): Sitemap {
  return { entries, parts: parts.map((part) => ({ ...part, value: { ...part.value, data: null } })) };
}

/** Returns the files for crawlers: the sitemap and `/robots.txt`. */
export function crawlerFiles(siteUrl: string, { parts }: Sitemap): ReleaseFile[] {
  const maps = parts.map(({ value }) => value);
  const list = renderSitemapIndex(
    maps.map(({ path }) => path),
    siteUrl,
  );
  return [
    ...maps,
    ...(maps.length > 1 ? [generatedFile('/sitemap.xml', Buffer.from(list), mapType)] : []),
    generatedFile('/robots.txt', Buffer.from(renderRobots(siteUrl)), 'text/plain; charset=utf-8'),
  ];
}

/** Returns the 404 page of each locale, longest prefix first. */
export function notFoundPages({ inputs: { site } }: SiteIndex): [prefix: string, path: string][] {
  return site.locales
    .map(({ locale }): [string, string] => [localePrefix(locale, site), localePrefix(locale, site) + notFoundFile])
    .sort(([a], [b]) => b.length - a.length);
}
