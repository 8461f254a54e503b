import type { Scope } from '../../core/scopes.ts';
import type { OperationKind } from './policy.ts';

/**
 * The members of a route that determine its kind of operation; without `operationKind` it is derived from the others.
 */
export interface DeclaredKind {
  method: string;
  path: string;
  scope: Scope;
  operationKind?: OperationKind | undefined;
}

/** Scopes that grant one kind of operation each. */
const byScope: Partial<Record<Scope, OperationKind>> = {
  'content:write': 'content.write',
  'media:write': 'media.write',
  'components:write': 'components.write',
  'shell:write': 'shell.write',
  'translations:manage': 'languages.manage',
  publish: 'publish',
};

/**
 * Returns the kind of operation of a route: the declared one; `read` for a GET and for a route that needs only a read
 * scope; otherwise the kind that its scope grants. Throws for a route to which none of these applies; then the gateway
 * does not start.
 */
export function operationKindOf({ method, path, scope, operationKind }: DeclaredKind): OperationKind {
  if (operationKind) return operationKind;
  if (method === 'GET' || scope.endsWith(':read')) return 'read';
  const derived = byScope[scope];
  if (!derived)
    throw new Error(`${method} ${path} must declare its operationKind: the scope ${scope} does not imply one.`);
  return derived;
}
