import { assetsPrefix, type Manifest } from './manifest.ts';

/** Paths of a site whose reply differs between two releases. */
export interface PathDifference {
  added: string[];
  changed: string[];
  removed: string[];
}

/** The redirect from a path, or from the same with or without a slash at its end: both lead on (`resolvePath`). */
function redirectAt({ redirects }: Manifest, path: string): string | undefined {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const found = [path, other].find((one) => Object.hasOwn(redirects, one));
  return found === undefined ? undefined : redirects[found]!.join(' ');
}

/** What a visitor gets at each path, as text that is equal for equal replies. Assets never change, and 404 pages have no path. */
function repliesOf(manifest: Manifest): Map<string, string> {
  const notFound = new Set(manifest.not_found.map(([, path]) => path));
  const replies = new Map<string, string>();
  for (const [path, [hash]] of Object.entries(manifest.files)) {
    if (!path.startsWith(assetsPrefix) && !notFound.has(path)) replies.set(path, redirectAt(manifest, path) ?? hash);
  }
  for (const path of Object.keys(manifest.redirects)) replies.set(path, redirectAt(manifest, path)!);
  return replies;
}

/** Compares two releases by what visitors get, in the order of their manifests; `before` null: nothing was live. */
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
