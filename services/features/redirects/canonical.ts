import type { Config } from '../../core/config.ts';
import type { Site } from '../../core/http.ts';
import { decodePath, siteUrl } from '../../core/public-paths.ts';

/**
 * Returns whether a visitor can request the path: the edge responds 400 to broken escapes and escaped control
 * characters.
 */
export function isRequestable(path: string): boolean {
  const decoded = decodePath(path);
  return decoded !== null && !/[\u0000-\u001f\u007f]/.test(decoded);
}

/** Returns the path as the edge compares it: dot segments resolved, percent-decoded, without the trailing slash. */
export function canonicalPath(path: string): string {
  const resolved = new URL(`http://site.invalid${path}`).pathname; // a leading `//` is not a host here
  const trimmed = resolved.replace(/\/+$/, '') || '/';
  return decodePath(trimmed) ?? trimmed;
}

/** Returns every spelling under which a redirect of the same path may be stored. */
export function spellingsOf(path: string): string[] {
  const decoded = canonicalPath(path);
  const spellings = [decoded, encodeURI(decoded), path.replace(/(?<=.)\/+$/, '')];
  return [...new Set(spellings.flatMap((spelling) => [spelling, `${spelling}/`]))];
}

/** Returns the host without its trailing dot, as the edge compares it. */
const hostOf = (url: URL) => url.host.replace(/\.(?=:|$)/, '');

/** Returns the path on this site that a target leads to, or null if it leads elsewhere or cannot be requested. */
export function ownPath(
  target: string,
  site: Pick<Site, 'slug' | 'domain' | 'aliases'>,
  config: Pick<Config, 'edgeUrl'>,
): string | null {
  if (target.startsWith('/')) return canonicalPath(target);
  const url = new URL(target);
  const aliases = site.aliases.map((alias) => `https://${alias}`);
  const homes = [siteUrl(site, config), ...aliases, `${config.edgeUrl}/sites/${site.slug}`].map(
    (home) => new URL(home),
  );
  for (const home of homes) {
    const base = home.pathname.replace(/\/$/, '');
    if (hostOf(url) !== home.host || !`${url.pathname}/`.startsWith(`${base}/`)) continue;
    const path = url.pathname.slice(base.length) || '/';
    return isRequestable(path) ? canonicalPath(path) : null;
  }
  return null;
}
