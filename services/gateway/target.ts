/** The base path of the REST surface, which contains its version (spec: Versioning). */
export const basePath = '/api/v1';

export const isRest = (path: string): boolean => path === basePath || path.startsWith(`${basePath}/`);

const siteSegment = new RegExp(`^${basePath}/sites/([a-z0-9-]+)(?:/|$)`);

/**
 * Returns the slug of the site in a path as sent, before it is routed; null if the path names no site. A site in
 * another spelling of the path is found after routing.
 */
export const siteSlugOf = (path: string): string | null => siteSegment.exec(path)?.[1] ?? null;

/**
 * Decodes escaped letters, digits, hyphens, underscores and tildes, which are equivalent to the characters (RFC 3986,
 * 2.3).
 */
function unescapePlain(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-9a-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9_~-]/.test(character) ? character : escaped;
  });
}

/** Splits a request target into path and query; accepts the absolute form, as every server must (RFC 9112, 3.2.2). */
export function splitTarget(sent: string): { path: string; search: string } {
  const target = sent.startsWith('/') ? sent : sent.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: unescapePlain(path), search: at < 0 ? '' : target.slice(at) };
}

/** Returns whether the text has percent signs that start no escape, or escapes that are not UTF-8. */
function hasBrokenEscape(text: string): boolean {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * Replaces segments with broken escapes by NUL, an id, slug or name that no record has: the router would return 404 for
 * a path that it cannot decode, but scope, site and record must be checked in the same order as for any other path.
 */
function withoutBrokenEscapes(path: string): string {
  if (!path.includes('%') || !hasBrokenEscape(path)) return path;
  const segments = path.split('/');
  return segments.map((segment) => (hasBrokenEscape(segment) ? '%00' : segment)).join('/');
}

/** The path that the router sees, and the rest that it does not see if the route's pattern ends in a wildcard. */
export interface RoutedPath {
  pathname: string;
  rest: string | undefined;
}

/**
 * Returns a function that replaces the rest of a path that matches a wildcard by a placeholder: the feature decodes and
 * checks the rest.
 */
export function createPathRouter(patterns: readonly string[]): (path: string) => RoutedPath {
  const beginnings = [...new Set(patterns.filter((pattern) => pattern.endsWith('/*')))].map(
    (pattern) => new RegExp(`^${pattern.slice(0, -1).replace(/:\w+/g, '[^/]+')}`),
  );
  return (path) => {
    for (const beginning of beginnings) {
      const [known] = beginning.exec(path) ?? [];
      if (known !== undefined) return { pathname: withoutBrokenEscapes(`${known}_`), rest: path.slice(known.length) };
    }
    return { pathname: withoutBrokenEscapes(path), rest: undefined };
  };
}
