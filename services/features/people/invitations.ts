import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { SiteRole } from '../../core/roles.ts';
import { createUser, setSiteRole } from '../users/index.ts';
import { findAccountByEmail } from './accounts-sql.ts';
import { createLink, type Link } from './links.ts';
import { queueMail } from './mails.ts';
import { findSiteMember } from './members-sql.ts';

/** The person to invite, the site and the role. */
export interface Invitation {
  email: string;
  /** The slug of a site, or `*`. */
  site: string;
  role: SiteRole;
}

/**
 * Creates the user if necessary and sets the role. Returns a link that sets name and password, or undefined for a user
 * who already has a password. For the command line only: it checks no permission. Call it in a transaction. Throws
 * `not_found` for an unknown site, `validation_failed` for an invalid e-mail address, `conflict` for a deactivated
 * user.
 */
export async function invite(
  db: Db,
  config: Pick<Config, 'url'>,
  { email, site, role }: Invitation,
): Promise<Link | undefined> {
  const account = await findAccountByEmail(db, email);
  if (account && !account.active) throw problem('conflict', `The user ${account.email} is deactivated.`);
  const { id } = account ?? (await createUser(db, email));
  await setSiteRole(db, email, site, role);
  return account?.password_hash ? undefined : createLink(db, config, id, 'invitation');
}

interface Inviter {
  administrator: boolean;
}

async function hasRoles(db: Db, userId: string): Promise<boolean> {
  const rows = await db.query<{ has_roles: boolean }>(
    "SELECT has_roles OR role = 'admin' AS has_roles FROM users WHERE id = $1",
    [userId],
  );
  return rows[0]?.has_roles ?? false;
}

/**
 * Invites a person on behalf of a member of the site, for the dashboard, and mails the link. If the installation sends
 * no mail, it returns the link, and only to administrators, because the link opens an account of another person. Throws
 * the errors of `invite`, and `conflict` for a member with a password, for a user without roles unless an administrator
 * invites (the first role limits the keys of this user), and without mail unless an administrator invites.
 */
export async function inviteAsMember(
  db: Db,
  config: Pick<Config, 'url' | 'smtpUrl'>,
  { email, site, role }: Invitation,
  inviter: Inviter,
): Promise<{ userId: string; link: Link | undefined; mailQueued: boolean }> {
  const account = await findAccountByEmail(db, email);
  if (account && !account.active) throw problem('conflict', 'This user is deactivated.');
  if (account && !inviter.administrator && !(await hasRoles(db, account.id)))
    throw problem('conflict', 'This user has no role yet: an administrator has to give the first one.');
  if (account?.password_hash && (await findSiteMember(db, site, account.id)))
    throw problem('conflict', 'This user is a member of the site already: change the role instead.');
  const { id } = account ?? (await createUser(db, email));
  await setSiteRole(db, email, site, role);
  if (account?.password_hash) return { userId: id, link: undefined, mailQueued: false };
  if (config.smtpUrl !== undefined) {
    await queueMail(db, email, 'invitation');
    return { userId: id, link: undefined, mailQueued: true };
  }
  if (!inviter.administrator)
    throw problem('conflict', 'This installation sends no mail: ask an administrator to invite this person.');
  return { userId: id, link: await createLink(db, config, id, 'invitation'), mailQueued: false };
}
