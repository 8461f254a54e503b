import { assetsPrefix, type Manifest } from './manifest.ts';

/** Paths of a site whose reply differs between two releases. */
export interface PathDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

/** Returns the redirect from a path, with or without its trailing slash, because both redirect (`resolvePath`); undefined without one. */
function redirectAt({ redirects }: Manifest, path: string): string | undefined {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const found = [path, other].find((one) => Object.hasOwn(redirects, one));
  return found === undefined ? undefined : redirects[found]!.join(' ');
}

/** Returns the reply at each path, as text that is equal for equal replies. Omits assets, which never change, and 404 pages, which have no path. */
function repliesOf(manifest: Manifest): Map<string, string> {
  const notFound = new Set(manifest.not_found.map(([, path]) => path));
  const replies = new Map<string, string>();
  for (const [path, [hash]] of Object.entries(manifest.files)) {
    if (!path.startsWith(assetsPrefix) && !notFound.has(path)) replies.set(path, redirectAt(manifest, path) ?? hash);
  }
  for (const path of Object.keys(manifest.redirects)) replies.set(path, redirectAt(manifest, path)!);
  return replies;
}

/**
 * Compares two releases by the replies of their paths, in the order of their manifests: files by path, then redirects. `before` is null
 * if no release was live.
 */
export function comparePaths(before: Manifest | null, now: Manifest): PathDifference {
  const known = before ? repliesOf(before) : new Map<string, string>();
  const replies = repliesOf(now);
  const paths = [...replies.keys()];
  return {
    added: paths.filter((path) => !known.has(path)),
    changed: paths.filter((path) => known.has(path) && known.get(path) !== replies.get(path)),
    removed: [...known.keys()].filter((path) => !replies.has(path)),
  };
}
