import type { Config } from './config.ts';

/** The members that determine an item's public path. */
export interface PathItem {
  type: string;
  slug: string;
  locale: string;
}

/** The members of a site that determine its public URLs. */
export interface PathSite {
  slug: string;
  domain: string | null;
  default_locale: string;
}

/** Returns `/` for the default locale, `/{locale}/` for every other one (contract: Public paths). */
export function localePrefix(locale: string, site: Pick<PathSite, 'default_locale'>): string {
  return locale === site.default_locale ? '/' : `/${locale}/`;
}

/**
 * Returns the path of an item from the site's root: a page `/{slug}/`, a post `/posts/{slug}/`, another type
 * `/{type}/{slug}/`.
 */
export function itemPath(item: PathItem, site: Pick<PathSite, 'default_locale'>): string {
  const prefix = localePrefix(item.locale, site);
  if (item.type === 'page') return `${prefix}${item.slug}/`;
  return `${prefix}${item.type === 'post' ? 'posts' : item.type}/${item.slug}/`;
}

/** Returns the URL of a site without a trailing slash: its domain, else the edge's URL with `/sites/{slug}`. */
export function siteUrl(site: Pick<PathSite, 'slug' | 'domain'>, config: Pick<Config, 'edgeUrl'>): string {
  return site.domain ? `https://${site.domain}` : `${config.edgeUrl}/sites/${site.slug}`;
}

/** Returns the absolute URL of an item (contract: a record's `url`). */
export function itemUrl(item: PathItem, site: PathSite, config: Pick<Config, 'edgeUrl'>): string {
  return siteUrl(site, config) + itemPath(item, site);
}

/** Returns the path of an archive page of posts: `/posts/` for the first, `/posts/page/{n}/` for the others. */
export function archivePath(page: number, locale: string, site: Pick<PathSite, 'default_locale'>): string {
  const base = `${localePrefix(locale, site)}posts/`;
  return page === 1 ? base : `${base}page/${page}/`;
}

/** First segments reserved for the site itself. */
const reservedSegments = new Set(['posts']);

/**
 * Returns whether a page may not have this slug, because its path would collide with the site's own paths or with a
 * locale's (contract: Public paths; the caller then tries `-2`, `-3`, …). Only pages are at the root.
 */
export function isReservedSlug(slug: string, site: { locales: readonly { locale: string }[] }): boolean {
  const lowerCase = slug.toLowerCase();
  return reservedSegments.has(lowerCase) || site.locales.some(({ locale }) => locale.toLowerCase() === lowerCase);
}

/**
 * Decodes a URL path to the form in manifests and redirects: percent-decoded, except for an encoded slash, which is
 * part of a name. Null if it is not UTF-8.
 */
export function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path.replaceAll(/%2f/gi, '%252F'));
  } catch {
    return null;
  }
}

/**
 * Returns the relative link from one path of a site to another, so that it works under any host and base path:
 * `../style.css`, `./`.
 */
export function relativePath(from: string, to: string): string {
  const [, target = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(to) ?? [];
  const fromParts = from.split('/').slice(1, -1);
  const toParts = target.split('/').slice(1);
  const last = toParts.pop() ?? '';
  let shared = 0;
  while (shared < fromParts.length && shared < toParts.length && fromParts[shared] === toParts[shared]) shared++;
  const up = '../'.repeat(fromParts.length - shared);
  const down = toParts
    .slice(shared)
    .map((part) => `${part}/`)
    .join('');
  const path = `${up}${down}${last}`;
  // a first segment with a colon would be read as a scheme, and an empty path as the current file
  return (path === '' || (up === '' && /^[^/]*:/.test(path)) ? `./${path}` : path) + suffix;
}
