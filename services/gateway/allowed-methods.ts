import type { AppRoute } from '../features/route.ts';

type Declared = Pick<AppRoute, 'method' | 'path'>;

const isParameter = (segment: string) => segment.startsWith(':') || segment === '*';

/** Whether what one path names literally is also an instance of the other: `/content/trash` of `/content/:id`. */
function isInstanceOf(path: string, general: string): boolean {
  const [own, other] = [path.split('/'), general.split('/')];
  return (
    own.length === other.length &&
    path !== general &&
    own.every((segment, index) => segment === other[index] || (isParameter(other[index]!) && !isParameter(segment)))
  );
}

/**
 * Methods that a path does not take although a more general path of the same form does. The router would hand
 * `DELETE /content/trash` to `/content/:id`; it is a known path with another method: 405 (contract: Conventions).
 */
export function findShadowedMethods(routes: readonly Declared[]): { method: AppRoute['method']; path: string }[] {
  const own = Map.groupBy(routes, ({ path }) => path);
  return [...own].flatMap(([path, declared]) => {
    const taken = new Set(declared.map(({ method }) => method));
    const general = routes.filter((route) => isInstanceOf(path, route.path) && !taken.has(route.method));
    return [...new Set(general.map(({ method }) => method))].map((method) => ({ method, path }));
  });
}

/** What paths a declared one stands for. */
export function patternOf(path: string): RegExp {
  const segments = path.split('/').map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part));
  return new RegExp(`^${segments.join('/')}$`, 's');
}

/** Orders declared paths: of those that a path is an instance of, the most literal comes first. */
export function byLiteralness(a: Pick<Declared, 'path'>, b: Pick<Declared, 'path'>): number {
  const parameters = (path: string) => path.split('/').filter(isParameter).length;
  return parameters(a.path) - parameters(b.path);
}

/** Answers `Allow` for a path below the base: the methods of the most literal declared path that it is an instance of. */
export function createAllowReader(routes: readonly Declared[]): (path: string) => string | undefined {
  const declared = [...Map.groupBy(routes.toSorted(byLiteralness), ({ path }) => path)];
  const patterns = declared.map(([path, own]) => ({
    pattern: patternOf(path),
    allow: own.map(({ method }) => method).join(', '),
  }));
  return (path) => patterns.find(({ pattern }) => pattern.test(path))?.allow;
}
