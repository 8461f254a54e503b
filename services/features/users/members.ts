import type { Db } from '../../core/db.ts';
import { notFound, problem } from '../../core/errors.ts';
import { everySite, type SiteRole } from '../../core/roles.ts';
import { selectSiteBySlug } from '../sites/index.ts';
import { findUserByEmail, type User } from './service.ts';

/** A role of a user on a site. */
export interface SiteMembership {
  /** A slug, or `*`. */
  site: string;
  role: SiteRole;
  /** The slug of the team that grants it; null when it was granted to the user. */
  team: string | null;
}

/**
 * A user with every effective role. Null: the user was never given a role, so the user's keys are limited only by their
 * scopes and site lists.
 */
export interface Member extends User {
  roles: SiteMembership[] | null;
}

async function requireUser(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound(`user ${email}`);
  return user;
}

/** Marks users as having roles, which limit their keys from now on, permanently. */
async function markAsHavingRoles(db: Db, userIds: readonly string[]): Promise<void> {
  await db.query('UPDATE users SET has_roles = true WHERE id = ANY($1::UUID[]) AND NOT has_roles', [userIds]);
}

/**
 * Marks all members of a team in the same way. Call it in the transaction that gives the team its role, or adds a
 * member.
 */
export async function markTeamAsHavingRoles(db: Db, teamId: string): Promise<void> {
  const rows = await db.query<{ user_id: string }>('SELECT user_id FROM team_members WHERE team_id = $1', [teamId]);
  await markAsHavingRoles(
    db,
    rows.map(({ user_id }) => user_id),
  );
}

/**
 * Gives a user a role on a site, or on every site with `*`, replacing the previous one. From the first role on, roles
 * limit the user's keys. Requires a transaction. Throws `not_found` for an unknown user or site.
 */
export async function setSiteRole(db: Db, email: string, site: string, role: SiteRole): Promise<void> {
  const user = await requireUser(db, email);
  if (site !== everySite && !(await selectSiteBySlug(db, site))) throw notFound(`site ${site}`);
  await db.query(
    `INSERT INTO site_members (user_id, site, role) VALUES ($1, $2, $3)
     ON CONFLICT (user_id, site) DO UPDATE SET role = excluded.role`,
    [user.id, site, role],
  );
  await markAsHavingRoles(db, [user.id]);
}

/** Removes the role that the user was given on a site; roles from teams stay. Throws `not_found`. */
export async function removeSiteRole(db: Db, email: string, site: string): Promise<void> {
  const user = await requireUser(db, email);
  const rows = await db.query('DELETE FROM site_members WHERE user_id = $1 AND site = $2 RETURNING user_id', [
    user.id,
    site,
  ]);
  if (rows.length === 0) throw notFound(`role of ${user.email} on ${site}`);
}

/**
 * Makes a user an administrator of the installation, or revokes that: a former administrator only has the roles given
 * on sites. Requires a transaction. Throws `not_found`, and `conflict` for the last active administrator.
 */
export async function setAdministrator(db: Db, email: string, administrator: boolean): Promise<void> {
  const user = await requireUser(db, email);
  if (administrator === (user.role === 'admin')) return;
  if (!administrator) {
    const others = await db.query("SELECT id FROM users WHERE role = 'admin' AND active AND id <> $1 LIMIT 1", [
      user.id,
    ]);
    if (others.length === 0) throw problem('conflict', `${user.email} is the last active administrator.`);
  }
  await db.query('UPDATE users SET role = $2, has_roles = true WHERE id = $1', [
    user.id,
    administrator ? 'admin' : 'member',
  ]);
}

/** Returns the users with their roles, newest first. */
export async function listMembers(db: Db): Promise<Member[]> {
  const users = await db.query<User & { has_roles: boolean }>(
    'SELECT id, email, role, active, has_roles, created_at FROM users ORDER BY created_at DESC, id DESC',
  );
  const granted = await db.query<SiteMembership & { user_id: string }>(
    'SELECT user_id, site, role, NULL::TEXT AS team FROM site_members ORDER BY site',
  );
  const teams = await db.query<{ user_id: string; team: string; role: SiteRole; sites: string[] }>(
    `SELECT m.user_id, t.slug AS team, t.role, t.sites FROM team_members m JOIN teams t ON t.id = m.team_id
     WHERE t.role IS NOT NULL ORDER BY t.slug`,
  );
  const ofTeams = teams.flatMap(({ sites, ...row }) => sites.map((site) => ({ ...row, site })));
  const byUser = Map.groupBy([...granted, ...ofTeams], ({ user_id }) => user_id);
  return users.map(({ has_roles, ...user }) => ({
    ...user,
    roles: has_roles ? (byUser.get(user.id) ?? []).map(({ site, role, team }) => ({ site, role, team })) : null,
  }));
}
