import { formatTimestamp } from '../../core/timestamp.ts';
import type { SessionSummary } from '../users/index.ts';
import type { Link } from './links.ts';
import type { MailStatus } from './mails.ts';
import type { MemberRow } from './members-sql.ts';

export const presentSession = (row: SessionSummary, currentId: string) => ({
  id: row.id,
  current: row.id === currentId,
  address: row.address,
  user_agent: row.user_agent,
  created_at: formatTimestamp(row.created_at),
  seen_at: formatTimestamp(row.seen_at),
  expires_at: formatTimestamp(row.expires_at),
});

export const presentLink = ({ url, expiresAt }: Link) => ({ url, expires_at: formatTimestamp(expiresAt) });

/** Returns one record per member, with all roles on the site, in the order of the rows. */
export function presentMembers(
  rows: readonly MemberRow[],
  mails: ReadonlyMap<string, { status: MailStatus; error: string | null }>,
) {
  return [...Map.groupBy(rows, ({ user_id }) => user_id).values()].map((own) => {
    const { user_id, email, name, active, has_password } = own[0]!;
    return {
      user_id,
      email,
      name,
      active,
      has_password,
      roles: own.map(({ role, site, team }) => ({ role, site, team })),
      invitation_mail: mails.get(email) ?? null,
    };
  });
}
