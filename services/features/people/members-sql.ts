import type { Db } from '../../core/db.ts';
import { everySite, type SiteRole } from '../../core/roles.ts';
import type { MailStatus } from './mails.ts';

/** One role of a user on a site; a user with several roles has several rows. */
export interface MemberRow {
  user_id: string;
  email: string;
  name: string | null;
  active: boolean;
  has_password: boolean;
  role: SiteRole;
  /** A slug, or `*`. */
  site: string;
  /** The slug of the team that has the role; null for a direct role of the user. */
  team: string | null;
}

const userColumns = 'u.id AS user_id, u.email, u.name, u.active, u.password_hash IS NOT NULL AS has_password';

/** Returns the roles of all users on a site, sorted by e-mail. Administrators without a role are not listed. */
export function selectMembers(db: Db, site: string): Promise<MemberRow[]> {
  return db.query<MemberRow>(
    `SELECT ${userColumns}, m.role, m.site, NULL::TEXT AS team
     FROM site_members m JOIN users u ON u.id = m.user_id WHERE m.site = $1 OR m.site = $2
     UNION ALL
     SELECT ${userColumns}, t.role, CASE WHEN $2 = ANY(t.sites) THEN $2 ELSE $1 END, t.slug
     FROM teams t JOIN team_members x ON x.team_id = t.id JOIN users u ON u.id = x.user_id
     WHERE t.role IS NOT NULL AND ($1 = ANY(t.sites) OR $2 = ANY(t.sites))
     ORDER BY 2, 7, 8`,
    [site, everySite],
  );
}

/** Returns the e-mail of a user with a direct role on exactly this site (not through `*` or a team), or undefined. */
export async function findSiteMember(db: Db, site: string, userId: string): Promise<{ email: string } | undefined> {
  const rows = await db.query<{ email: string }>(
    'SELECT u.email FROM site_members m JOIN users u ON u.id = m.user_id WHERE m.site = $1 AND m.user_id = $2',
    [site, userId],
  );
  return rows[0];
}

/** Returns the status of the newest invitation mail by e-mail address. */
export async function selectInvitationMails(
  db: Db,
  emails: readonly string[],
): Promise<Map<string, { status: MailStatus; error: string | null }>> {
  const rows = await db.query<{ email: string; status: MailStatus; error: string | null }>(
    `SELECT email, status, error FROM mails WHERE email = ANY($1::TEXT[]) AND kind = 'invitation' ORDER BY created_at`,
    [emails],
  );
  return new Map(rows.map(({ email, ...mail }) => [email, mail]));
}
