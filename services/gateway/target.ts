/** The base of the REST surface; its version is in the path (spec: Versioning). */
export const basePath = '/api/v1';

export const isRest = (path: string): boolean => path === basePath || path.startsWith(`${basePath}/`);

/** Escaped letters, digits, hyphens, underscores and tildes mean the characters themselves (RFC 3986, 2.3). */
function unescapePlain(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([0-9a-f]{2})/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9_~-]/.test(character) ? character : escaped;
  });
}

/** The path and query of a request target; of an absolute one, too, which every server must take (RFC 9112, 3.2.2). */
export function splitTarget(sent: string): { path: string; search: string } {
  const target = sent.startsWith('/') ? sent : sent.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { path: unescapePlain(path), search: at < 0 ? '' : target.slice(at) };
}

/** Percent signs that begin no escape, and escapes that are no UTF-8. */
function hasBrokenEscape(text: string): boolean {
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}

/**
 * To the router a path that it cannot decode is no route at all. Broken segments reach it as NUL, an id, slug or name that nothing
 * has, so that scope, site and record are checked in their order like those of any other path.
 */
function withoutBrokenEscapes(path: string): string {
  if (!path.includes('%') || !hasBrokenEscape(path)) return path;
  const segments = path.split('/');
  return segments.map((segment) => (hasBrokenEscape(segment) ? '%00' : segment)).join('/');
}

/** What the router sees of a path, and what it does not see: the rest, where a route's pattern ends in a wildcard. */
export interface RoutedPath {
  pathname: string;
  rest: string | undefined;
}

/** The rest of a path that ends in a wildcard is the feature's to decode and to judge, so the router sees a stand-in. */
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
