import { roleOn, type SiteRole, siteRoles, type UserRoles } from '../../core/roles.ts';

/** `all`: any record of the site. `own`: records that the user created, but no published or scheduled content. */
export type Grant = 'all' | 'own' | 'none';

/**
 * The permissions of each role on its site. Dashboard, keys and agents are authorized by this table only (contract:
 * People, agents and paths).
 */
// biome-ignore format: a table
const table = {
  //                          owner  editor  author  viewer
  read:                      ['all', 'all',  'all',  'all'],
  'integrations.manage':     ['all', 'all',  'all',  'all'], // spec: any member of the site may manage its integrations
  'content.write':           ['all', 'all',  'own',  'none'],
  'media.write':             ['all', 'all',  'own',  'none'],
  'shell.write':             ['all', 'all',  'none', 'none'],
  'components.write':        ['all', 'all',  'none', 'none'],
  'redirects.write':         ['all', 'all',  'none', 'none'],
  'scripts.write':           ['all', 'all',  'none', 'none'],
  'types.write':             ['all', 'all',  'none', 'none'],
  publish:                   ['all', 'all',  'none', 'none'],
  'settings.write':          ['all', 'none', 'none', 'none'],
  'languages.manage':        ['all', 'none', 'none', 'none'],
  'event_endpoints.manage':  ['all', 'none', 'none', 'none'],
  'audit.read':              ['all', 'none', 'none', 'none'],
  backups:                   ['all', 'none', 'none', 'none'],
  'members.manage':          ['all', 'none', 'none', 'none'],
  'sites.create':            ['all', 'none', 'none', 'none'],
  'sites.delete':            ['all', 'none', 'none', 'none'],
} as const satisfies Record<string, readonly [Grant, Grant, Grant, Grant]>;

/** The kinds of operation. Every route has one; several routes share one. */
export type OperationKind = keyof typeof table;
export const operationKinds = Object.keys(table) as OperationKind[];

/** Returns the permission of a role on its site. */
export function grantOf(role: SiteRole, kind: OperationKind): Grant {
  return table[kind][siteRoles.indexOf(role)]!;
}

/**
 * Returns the permissions of each role, without the kinds that it may not do: the dashboard shows only what is allowed.
 */
export function describePolicy(): Record<SiteRole, Partial<Record<OperationKind, Exclude<Grant, 'none'>>>> {
  const describe = (role: SiteRole) => operationKinds.map((kind) => [kind, grantOf(role, kind)] as const);
  const allowed = (role: SiteRole) => Object.fromEntries(describe(role).filter(([, grant]) => grant !== 'none'));
  return Object.fromEntries(siteRoles.map((role) => [role, allowed(role)])) as ReturnType<typeof describePolicy>;
}

/** Returns the roles that may do this kind of operation, on all records or only on their own. */
export function rolesWith(kind: OperationKind): SiteRole[] {
  return siteRoles.filter((role) => grantOf(role, kind) !== 'none');
}

/** Returns the permission of the user on a site, which need not exist. */
export function decide(user: UserRoles, kind: OperationKind, slug: string): Grant {
  const role = roleOn(user, slug);
  return role ? grantOf(role, kind) : 'none';
}
