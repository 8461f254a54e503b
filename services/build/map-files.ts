import { localePrefix } from '../core/public-paths.ts';
import { rememberText } from './item-memo.ts';
import type { ItemInput } from './model.ts';
import { notFoundFile } from './pages.ts';
import { homeTranslations, type SiteIndex } from './site-index.ts';
import { renderEntry, renderRobots, renderSitemaps } from './sitemap.ts';

export interface GeneratedFile {
  path: string;
  data: Buffer;
  type: string;
}

/** Returns whether the item's page is its own canonical page; sitemaps list only such pages. */
function isCanonical({ canonical_url: named }: ItemInput, url: string): boolean {
  return named === null || new URL(named).href === new URL(url).href;
}

/** Returns the entry of an item that exists in one language; it follows from item and URL. */
function ownEntry(item: ItemInput, url: string): string {
  const make = () => renderEntry({ url, updatedAt: item.updated_at, alternates: [] });
  return rememberText(item, 'sitemapEntry', url, make);
}

function sitemapEntries(index: SiteIndex, siteUrl: string): string[] {
  const absolute = (path: string) => siteUrl + encodeURI(path);
  const homes = homeTranslations(index).map(({ locale, path }) => ({ locale, url: absolute(path) }));
  const hasLanguages = homes.length > 1;
  const entries = homes.map(({ url }) => renderEntry({ url, updatedAt: null, alternates: homes }));
  for (const item of index.items) {
    const url = absolute(index.pathOf(item));
    if (!isCanonical(item, url)) continue;
    if (!hasLanguages) {
      entries.push(ownEntry(item, url));
      continue;
    }
    const alternates = index.translations(item).map(({ locale, path }) => ({ locale, url: absolute(path) }));
    entries.push(renderEntry({ url, updatedAt: item.updated_at, alternates }));
  }
  return entries;
}

/** Returns the files for crawlers: `/sitemap.xml` (in parts for a very large site) and `/robots.txt`. */
export function crawlerFiles(index: SiteIndex, siteUrl: string): GeneratedFile[] {
  const maps = [...renderSitemaps(sitemapEntries(index, siteUrl), siteUrl)];
  return [
    ...maps.map(([path, text]) => ({ path, data: Buffer.from(text), type: 'application/xml; charset=utf-8' })),
    { path: '/robots.txt', data: Buffer.from(renderRobots(siteUrl)), type: 'text/plain; charset=utf-8' },
  ];
}

/** Returns the 404 page of each locale, longest prefix first. */
export function notFoundPages({ inputs: { site } }: SiteIndex): [prefix: string, path: string][] {
  return site.locales
    .map(({ locale }): [string, string] => [localePrefix(locale, site), localePrefix(locale, site) + notFoundFile])
    .sort(([a], [b]) => b.length - a.length);
}
