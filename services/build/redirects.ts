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
  const flat: Manifest['redirects'] = {};
  for (const [from, { to, status }] of byPath) {
    const seen = new Set([from]);
    let target = to;
    let next = innerPath(target);
    while (next !== null && byPath.has(next) && !seen.has(next)) {
      seen.add(next);
      target = byPath.get(next)!.to;
      next = innerPath(target);
    }
    if (next === null || !seen.has(next)) flat[from] = [target, status];
  }
  return flat;
}
