import { decodePath } from '../core/public-paths.ts';
import type { Manifest } from './manifest.ts';
import type { RedirectInput } from './model.ts';

const decode = (path: string): string => decodePath(path) ?? path;

/** Returns the path of a target inside the site, or null for another URL; a query or fragment ends a chain. */
function innerPath(to: string): string | null {
  return to.startsWith('/') && !to.startsWith('//') && !/[?#]/.test(to) ? decode(to) : null;
}

/**
 * Flattens the redirects of a manifest: with `/a` to `/b` to `/c`, a visitor of `/a` goes straight to `/c`, with the
 * status of the first step. A loop, which the API refuses, is left out.
 */
export function flattenRedirects(redirects: readonly RedirectInput[]): Manifest['redirects'] {
  const byPath = new Map(redirects.map((redirect) => [decode(redirect.from), redirect]));
  /** The final target of each path; null for a loop. */
  const ends = new Map<string, string | null>();
  for (const from of byPath.keys()) {
    const trail = new Set<string>();
    let next: string | null = from;
    let end: string | null = null;
    while (next !== null && byPath.has(next) && !ends.has(next) && !trail.has(next)) {
      trail.add(next);
      end = byPath.get(next)!.to;
      next = innerPath(end);
    }
    if (next !== null && trail.has(next)) end = null;
    else if (next !== null && ends.has(next)) end = ends.get(next)!;
    for (const path of trail) ends.set(path, end);
  }
  const flat: Manifest['redirects'] = {};
  for (const [from, { status }] of byPath) {
    const end = ends.get(from);
    if (end) flat[from] = [end, status];
  }
  return flat;
}
