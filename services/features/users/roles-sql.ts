import { everySite, isSiteRole, type SiteRole, strongerRole, type UserRoles } from '../../core/roles.ts';

/** A user's roles, as selected by a statement that joins `users` as `u`. */
export interface RolesRow {
  user_role: 'admin' | 'member';
  user_has_roles: boolean;
  /** `editor:slug`; for teams `editor:slug,slug`. */
  member_roles: string[];
  team_roles: string[];
}

/** Skips roles of administrators and of users who were never given one. */
const counted = "u.has_roles AND u.role <> 'admin'";

/** The columns of a RolesRow, for a statement that joins `users` as `u`: roles are read together with the user. */
export const rolesColumns = `u.role AS user_role, u.has_roles AS user_has_roles,
  ARRAY(SELECT m.role || ':' || m.site FROM site_members m WHERE m.user_id = u.id AND ${counted}) AS member_roles,
  ARRAY(SELECT t.role || ':' || array_to_string(t.sites, ',') FROM team_members x JOIN teams t ON t.id = x.team_id
    WHERE x.user_id = u.id AND t.role IS NOT NULL AND ${counted}) AS team_roles`;

/** Returns the roles of the user of a session or an agent; none for a user without roles. */
export function readRoles({ user_role, member_roles, team_roles }: RolesRow): UserRoles {
  const onSites = new Map<string, SiteRole>();
  for (const text of [...member_roles, ...team_roles]) {
    const [role = '', list = ''] = text.split(':');
    if (!isSiteRole(role)) continue; // a role of a later version is ignored
    for (const slug of list.split(',').filter(Boolean)) onSites.set(slug, strongerRole(role, onSites.get(slug))!);
  }
  return { administrator: user_role === 'admin', onSites };
}

/**
 * Returns the roles of the user of a key. Keys of a user who was never given a role are limited only by their scopes
 * and site list, as before roles existed (contract: users that exist without a role keep what they have).
 */
export function readRolesOfKey(row: RolesRow): UserRoles {
  if (row.user_role === 'admin' || row.user_has_roles) return readRoles(row);
  return { administrator: false, onSites: new Map([[everySite, 'owner']]) };
}
