import { problem } from '../../core/errors.ts';
import { roleOn, type UserRoles, type Writer } from '../../core/roles.ts';
import { decide, type Grant, grantOf, type OperationKind, rolesWith } from './policy.ts';

const neededFor = (kind: OperationKind) => rolesWith(kind).join(' or ');

/**
 * Returns the permission of the user on a site, which need not exist: `all` or `own`. Throws `site_not_allowed` for a
 * user without a role there, `role_insufficient` for a role that may not do this kind of operation.
 */
export function requireOnSite(user: UserRoles, kind: OperationKind, slug: string): Exclude<Grant, 'none'> {
  const grant = decide(user, kind, slug);
  if (grant !== 'none') return grant;
  const role = roleOn(user, slug);
  if (!role) throw problem('site_not_allowed', 'The user has no role on that site.');
  const message = `The user's role on this site is ${role}; this needs ${neededFor(kind)}.`;
  throw problem('role_insufficient', message);
}

/**
 * Checks an operation whose site is determined later. Throws `role_insufficient` for a user who may do this kind on no
 * site.
 */
export function requireSomewhere({ administrator, onSites }: UserRoles, kind: OperationKind): void {
  if (administrator || [...onSites.values()].some((role) => grantOf(role, kind) !== 'none')) return;
  throw problem('role_insufficient', `This needs the role ${neededFor(kind)} on the site.`);
}

/** Checks an operation on the whole installation. Throws `role_insufficient` unless the user is an administrator. */
export function requireAdministrator({ administrator }: UserRoles): void {
  if (!administrator) throw problem('role_insufficient', 'This needs an administrator of the installation.');
}

/**
 * Throws `role_insufficient` if the writer may change only their own records and this is not one. `what` is the kind of
 * record.
 */
export function requireOwn({ userId, onlyOwn }: Writer, what: string, createdBy: string | null): void {
  if (!onlyOwn || (userId !== null && createdBy === userId)) return;
  throw problem(
    'role_insufficient',
    `The user's role on this site allows changes only to a ${what} that the user created.`,
  );
}
