import { z } from 'zod';
import type { Db } from '../../core/db.ts';
import { notFound, problem } from '../../core/errors.ts';
import type { SiteRole } from '../../core/roles.ts';
import { nameText, siteListText } from '../../core/schema.ts';
import { deriveSlug, normaliseSlug } from '../../core/slug.ts';
import { check } from '../../core/validate.ts';
import { markTeamAsHavingRoles } from './members.ts';
import { findUserByEmail } from './service.ts';

/** A team makes its users members of its sites (contract: `teams …`). */
export interface Team {
  id: string;
  slug: string;
  name: string;
  /** Site slugs, also of future sites, or `*`. */
  sites: string[];
  /** The role of its members on its sites; null for a team that grants none. */
  role: SiteRole | null;
  members: string[];
}

const teamSites = z.object({ sites: siteListText });
const teamRequest = teamSites.extend({ name: nameText });

const columns = `t.id, t.slug, t.name, t.sites, t.role, ARRAY(SELECT u.email FROM team_members m JOIN users u ON u.id = m.user_id
  WHERE m.team_id = t.id ORDER BY u.email) AS members`;

/** Returns every team, newest first. */
export function listTeams(db: Db): Promise<Team[]> {
  return db.query<Team>(`SELECT ${columns} FROM teams t ORDER BY t.created_at DESC, t.id DESC`);
}

/** Returns a team. Throws `not_found`. */
async function requireTeam(db: Db, slug: string): Promise<Team> {
  if (normaliseSlug(slug) !== slug) throw notFound('team');
  const [team] = await db.query<Team>(`SELECT ${columns} FROM teams t WHERE t.slug = $1`, [slug]);
  if (!team) throw notFound(`team ${slug}`);
  return team;
}

/** Creates a team. Throws `slug_taken`, `validation_failed`. */
export async function createTeam(db: Db, name: string, sites: string[], role: SiteRole | null = null): Promise<Team> {
  const team = check(teamRequest, { name, sites });
  const slug = deriveSlug(team.name);
  const rows = await db.query(
    'INSERT INTO teams (slug, name, sites, role) VALUES ($1, $2, $3, $4) ON CONFLICT (slug) DO NOTHING RETURNING id',
    [slug, team.name, team.sites, role],
  );
  if (rows.length === 0) throw problem('slug_taken', `There is already a team ${slug}.`);
  return requireTeam(db, slug);
}

/** Replaces the sites of a team; without a list they stay. Throws `not_found`, `validation_failed`. */
export async function setTeamSites(db: Db, slug: string, list: string[] | undefined): Promise<Team> {
  if (list === undefined) return requireTeam(db, slug);
  const { sites } = check(teamSites, { sites: list });
  const { id } = await requireTeam(db, slug);
  await db.query('UPDATE teams SET sites = $2 WHERE id = $1', [id, sites]);
  return requireTeam(db, slug);
}

/**
 * Sets the role of a team's members on its sites. Requires a transaction, since a user's first role starts to limit
 * their keys. Throws `not_found`.
 */
export async function setTeamRole(db: Db, slug: string, role: SiteRole): Promise<Team> {
  const { id } = await requireTeam(db, slug);
  await db.query('UPDATE teams SET role = $2 WHERE id = $1', [id, role]);
  await markTeamAsHavingRoles(db, id);
  return requireTeam(db, slug);
}

/** Deletes a team. Throws `not_found`. */
export async function deleteTeam(db: Db, slug: string): Promise<void> {
  const { id } = await requireTeam(db, slug);
  await db.query('DELETE FROM teams WHERE id = $1', [id]);
}

async function requireUserId(db: Db, email: string): Promise<string> {
  const user = await findUserByEmail(db, email);
  if (!user) throw notFound(`user ${email}`);
  return user.id;
}

/**
 * Adds a member to a team. Requires a transaction: if the team grants a role, roles limit the user's keys from now on.
 * Throws `not_found`.
 */
export async function addTeamMember(db: Db, slug: string, email: string): Promise<Team> {
  const [team, userId] = [await requireTeam(db, slug), await requireUserId(db, email)];
  await db.query(
    'INSERT INTO team_members (team_id, user_id) VALUES ($1, $2) ON CONFLICT (team_id, user_id) DO NOTHING',
    [team.id, userId],
  );
  if (team.role) await markTeamAsHavingRoles(db, team.id);
  return requireTeam(db, slug);
}

export async function removeTeamMember(db: Db, slug: string, email: string): Promise<Team> {
  const [team, userId] = [await requireTeam(db, slug), await requireUserId(db, email)];
  await db.query('DELETE FROM team_members WHERE team_id = $1 AND user_id = $2', [team.id, userId]);
  return requireTeam(db, slug);
}
