import { escapeXml } from './xml.ts';

/** Maximum of the sitemap protocol per file. */
const maxUrls = 50_000;

export interface SitemapEntry {
  url: string;
  updatedAt: string | null;
  /** Every language version of the page, including itself; fewer than two means no alternates. */
  alternates: { locale: string; url: string }[];
}

/** Renders the entry of one page. */
export function renderEntry({ url, updatedAt, alternates }: SitemapEntry): string {
  const links = alternates.length > 1 ? alternates : [];
  return [
    `<url><loc>${escapeXml(url)}</loc>`,
    updatedAt ? `<lastmod>${updatedAt}</lastmod>` : '',
    ...links.map(
      (link) => `<xhtml:link rel="alternate" hreflang="${escapeXml(link.locale)}" href="${escapeXml(link.url)}"/>`,
    ),
    '</url>',
  ].join('');
}

const open = '<?xml version="1.0" encoding="UTF-8"?>\n';

function renderUrlSet(entries: readonly string[]): string {
  return `${open}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('\n')}</urlset>\n`;
}

/** Makes `/sitemap.xml` of rendered entries and, for a very large site, the parts that it lists; the result is keyed by path. */
export function renderSitemaps(entries: readonly string[], siteUrl: string): Map<string, string> {
  if (entries.length <= maxUrls) return new Map([['/sitemap.xml', renderUrlSet(entries)]]);
  const files = new Map<string, string>();
  for (let start = 0; start < entries.length; start += maxUrls) {
    files.set(`/sitemap-${start / maxUrls + 1}.xml`, renderUrlSet(entries.slice(start, start + maxUrls)));
  }
  const parts = [...files.keys()].map((path) => `<sitemap><loc>${escapeXml(siteUrl + path)}</loc></sitemap>`);
  files.set(
    '/sitemap.xml',
    `${open}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts.join('')}</sitemapindex>\n`,
  );
  return files;
}

/** Renders `/robots.txt`: allows everything and names the sitemap. */
export function renderRobots(siteUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`;
}
