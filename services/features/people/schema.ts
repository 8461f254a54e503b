import { z } from 'zod';
import { siteRoles } from '../../core/roles.ts';
import { nameText, text, timestampText, uuidText } from '../../core/schema.ts';

/**
 * NIST SP 800-63B: a minimum length, no rules about characters, and a maximum, because long passwords take longer to
 * hash.
 */
const minPasswordLength = 12;
const maxPasswordLength = 256;

const emailText = text(254, 1);
/** A password to check; unlike a new one it has no minimum length. */
const givenPassword = text(maxPasswordLength);
const newPassword = text(maxPasswordLength).min(minPasswordLength);
const tokenText = text(100, 1);
const codeText = text(40, 1);
const role = z.enum(siteRoles);

export const signInBody = z.strictObject({ email: emailText, password: givenPassword });
export const codeBody = z.strictObject({ code: codeText });
export const nameBody = z.strictObject({ name: nameText });
export const changePasswordBody = z.strictObject({ password: givenPassword.optional(), new_password: newPassword });
export const passwordBody = z.strictObject({ password: givenPassword.optional() });
export const tokenBody = z.strictObject({ token: tokenText });
export const acceptLinkBody = z.strictObject({
  token: tokenText,
  name: nameText.optional(),
  password: newPassword.optional(),
});
export const resetBody = z.strictObject({ email: emailText });
export const memberBody = z.strictObject({ email: emailText });
export const inviteBody = z.strictObject({ email: emailText, role });
export const roleBody = z.strictObject({ role });

/** `next` is `totp` while the second factor is missing. */
export const signedInRecord = z.object({ next: z.enum(['done', 'totp']) });
export const doneRecord = z.object({ done: z.literal(true) });

export const linkRecord = z.object({
  kind: z.enum(['invitation', 'reset', 'sign_in']),
  email: z.string(),
  name: z.string().nullable(),
  expires_at: timestampText,
});

export const meRecord = z.object({
  id: uuidText,
  email: z.string(),
  name: z.string().nullable(),
  administrator: z.boolean(),
  roles: z.array(z.object({ site: z.string(), role })),
  has_password: z.boolean(),
  totp: z.object({ enabled: z.boolean(), recovery_codes: z.int() }),
  /** What each role may do: `all` or `own` records of each operation kind; other kinds are not allowed. */
  policy: z.record(role, z.record(z.string(), z.enum(['all', 'own']))),
  session: uuidText,
  sends_mail: z.boolean(),
});

export const sessionsRecord = z.object({
  sessions: z.array(
    z.object({
      id: uuidText,
      current: z.boolean(),
      address: z.string(),
      user_agent: z.string(),
      created_at: timestampText,
      seen_at: timestampText,
      expires_at: timestampText,
    }),
  ),
});

export const totpRecord = z.object({ secret: z.string(), uri: z.string() });
export const recoveryCodesRecord = z.object({ recovery_codes: z.array(z.string()) });

const memberRecord = z.object({
  user_id: uuidText,
  email: z.string(),
  name: z.string().nullable(),
  active: z.boolean(),
  /** False until the user accepts the invitation. */
  has_password: z.boolean(),
  roles: z.array(z.object({ role, site: z.string(), team: z.string().nullable() })),
  invitation_mail: z
    .object({ status: z.enum(['queued', 'sent', 'failed', 'dropped']), error: z.string().nullable() })
    .nullable(),
});
export const membersRecord = z.object({ members: z.array(memberRecord) });
export const invitedRecord = z.object({
  user_id: uuidText,
  /** Only for administrators, if the installation sends no mail. */
  link: z.object({ url: z.string(), expires_at: timestampText }).nullable(),
  mail_queued: z.boolean(),
});

const userRecord = z.object({
  id: uuidText,
  email: z.string(),
  administrator: z.boolean(),
  active: z.boolean(),
  created_at: timestampText,
  /** Null for a user who was never given a role. */
  roles: z.array(z.object({ site: z.string(), role: role, team: z.string().nullable() })).nullable(),
});
export const usersRecord = z.object({ users: z.array(userRecord) });

export const teamRecord = z.object({
  id: uuidText,
  slug: z.string(),
  name: z.string(),
  sites: z.array(z.string()),
  role: role.nullable(),
  members: z.array(z.string()),
});
export const teamsRecord = z.object({ teams: z.array(teamRecord) });
