import { localePrefix } from '../core/public-paths.ts';
import { notFoundFile } from './pages.ts';
import { homeTranslations, type SiteIndex } from './site-index.ts';
import { renderRobots, renderSitemaps, type SitemapEntry } from './sitemap.ts';

export interface GeneratedFile {
  path: string;
  data: Buffer;
  type: string;
}

function sitemapEntries(index: SiteIndex, siteUrl: string): SitemapEntry[] {
  const absolute = (path: string) => siteUrl + encodeURI(path);
  const homes = homeTranslations(index).map(({ locale, path }) => ({ locale, url: absolute(path) }));
  const items = index.items.map((item) => ({
    url: absolute(index.pathOf(item)),
    updatedAt: item.updated_at,
    alternates: index.translations(item).map(({ locale, path }) => ({ locale, url: absolute(path) })),
  }));
  return [...homes.map(({ url }) => ({ url, updatedAt: null, alternates: homes })), ...items];
}

/** What crawlers read: `/sitemap.xml` (in parts for a very large site) and `/robots.txt`. */
export function crawlerFiles(index: SiteIndex, siteUrl: string): GeneratedFile[] {
  const maps = [...renderSitemaps(sitemapEntries(index, siteUrl), siteUrl)];
  return [
    ...maps.map(([path, text]) => ({ path, data: Buffer.from(text), type: 'application/xml; charset=utf-8' })),
    { path: '/robots.txt', data: Buffer.from(renderRobots(siteUrl)), type: 'text/plain; charset=utf-8' },
  ];
}

/** The 404 page of each locale, the longest prefix first. */
export function notFoundPages({ inputs: { site } }: SiteIndex): [prefix: string, path: string][] {
  return site.locales
    .map(({ locale }): [string, string] => [localePrefix(locale, site), localePrefix(locale, site) + notFoundFile])
    .sort(([a], [b]) => b.length - a.length);
}
