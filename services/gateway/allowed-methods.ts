import type { AppRoute } from '../features/route.ts';

type Declared = Pick<AppRoute, 'method' | 'path'>;

const isParameter = (segment: string) => segment.startsWith(':') || segment === '*';

/** Returns whether a declared path is a special case of a more general pattern: `/content/trash` of `/content/:id`. */
function isInstanceOf(path: string, general: string): boolean {
  const [own, other] = [path.split('/'), general.split('/')];
  return (
    own.length === other.length &&
    path !== general &&
    own.every((segment, index) => segment === other[index] || (isParameter(other[index]!) && !isParameter(segment)))
  );
}

/**
 * Returns the methods that a declared path lacks although a more general pattern that it matches has them. The router
 * would pass `DELETE /content/trash` to `/content/:id`; it is a known path without that method: 405 (contract:
 * Conventions).
 */
export function findShadowedMethods(routes: readonly Declared[]): { method: AppRoute['method']; path: string }[] {
  const own = Map.groupBy(routes, ({ path }) => path);
  return [...own].flatMap(([path, declared]) => {
    const taken = new Set(declared.map(({ method }) => method));
    const general = routes.filter((route) => isInstanceOf(path, route.path) && !taken.has(route.method));
    return [...new Set(general.map(({ method }) => method))].map((method) => ({ method, path }));
  });
}

/** Returns the regular expression that matches the paths of a declared pattern. */
export function patternOf(path: string): RegExp {
  const segments = path.split('/').map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part));
  return new RegExp(`^${segments.join('/')}$`, 's');
}

/** Compares declared paths: the most literal sorts first. */
export function byLiteralness(a: Pick<Declared, 'path'>, b: Pick<Declared, 'path'>): number {
  const parameters = (path: string) => path.split('/').filter(isParameter).length;
  return parameters(a.path) - parameters(b.path);
}

/**
 * Returns a function that maps a path below the base to the value of `Allow`: the methods of the most literal pattern
 * that it matches.
 */
export function createAllowReader(routes: readonly Declared[]): (path: string) => string | undefined {
  const declared = [...Map.groupBy(routes.toSorted(byLiteralness), ({ path }) => path)];
  const patterns = declared.map(([path, own]) => ({
    pattern: patternOf(path),
    allow: own.map(({ method }) => method).join(', '),
  }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.allow;
}
