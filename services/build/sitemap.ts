import { escapeXml } from './xml.ts';

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

/** Renders a sitemap of rendered entries. */
export function renderUrlSet(entries: readonly string[]): string {
  return `${open}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('\n')}</urlset>\n`;
}

/** Renders a list of sitemaps. */
export function renderSitemapIndex(paths: readonly string[], siteUrl: string): string {
  const parts = paths.map((path) => `<sitemap><loc>${escapeXml(siteUrl + path)}</loc></sitemap>`);
  return `${open}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts.join('')}</sitemapindex>\n`;
}

/** Renders `/robots.txt`: allows everything and names the sitemap. */
export function renderRobots(siteUrl: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`;
}
