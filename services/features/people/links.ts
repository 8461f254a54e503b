import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, type Problem, problem } from '../../core/errors.ts';
import { type Account, findAccount, setName } from './accounts-sql.ts';
import { type Client, replacePassword, type SignedIn, startSession } from './sign-in.ts';
import { createToken, hashToken } from './tokens.ts';

/** `invitation` and `reset` set a password; `sign_in` needs none. Each signs in, once. */
export type LinkKind = 'invitation' | 'reset' | 'sign_in';

/** A link as it is handed out, once; only its hash is stored. */
export interface Link {
  kind: LinkKind;
  url: string;
  expiresAt: Date;
}

/** How long a link may be used (contract: People, agents and paths). */
export const linkMinutes = 15;

const deadLink = (): Problem =>
  problem('not_found', `This link is not valid any more: links work once and for ${linkMinutes} minutes.`);

/**
 * Makes a single-use link. Its token is in the fragment, which browsers send to no server, so that no log file on the way has it. In a
 * transaction.
 */
export async function createLink(db: Db, { url }: Pick<Config, 'url'>, userId: string, kind: LinkKind): Promise<Link> {
  const token = createToken();
  const expiresAt = new Date(Date.now() + linkMinutes * 60_000);
  await db.query('INSERT INTO account_links (token_hash, user_id, kind, expires_at) VALUES ($1, $2, $3, $4)', [
    hashToken(token),
    userId,
    kind,
    expiresAt,
  ]);
  return { kind, url: `${url}/dashboard/link#${token}`, expiresAt };
}

interface LinkRow {
  user_id: string;
  kind: LinkKind;
  expires_at: Date;
}

/** What a link is for; it stays usable. Throws `not_found` for an unknown, used or expired one, and for that of a deactivated user. */
export async function inspectLink(
  db: Db,
  token: string,
): Promise<{ kind: LinkKind; account: Account; expiresAt: Date }> {
  const rows = await db.query<LinkRow>(
    'SELECT user_id, kind, expires_at FROM account_links WHERE token_hash = $1 AND expires_at > now()',
    [hashToken(token)],
  );
  const account = rows[0] && (await findAccount(db, rows[0].user_id));
  if (!rows[0] || !account?.active) throw deadLink();
  return { kind: rows[0].kind, account, expiresAt: rows[0].expires_at };
}

/** What comes with a link: of one that sets a password, its hash. */
export interface LinkInput {
  token: string;
  name: string | undefined;
  passwordHash: string | undefined;
}

/**
 * Uses a link up and signs in. One that sets a password ends every session and link of the user first. In a transaction: what throws
 * leaves the link usable. Throws `not_found` for a dead link, `validation_failed` when the password is missing or too much.
 */
export async function acceptLink(db: Db, { token, name, passwordHash }: LinkInput, client: Client): Promise<SignedIn> {
  const rows = await db.query<LinkRow>(
    'DELETE FROM account_links WHERE token_hash = $1 AND expires_at > now() RETURNING user_id, kind, expires_at',
    [hashToken(token)],
  );
  const account = rows[0] && (await findAccount(db, rows[0].user_id));
  if (!rows[0] || !account?.active) throw deadLink();
  const { kind } = rows[0];
  if ((kind === 'sign_in') !== (passwordHash === undefined)) {
    const message = kind === 'sign_in' ? 'must not be sent with a link that signs in' : 'is required';
    throw invalid([{ path: 'password', message }]);
  }
  if (passwordHash !== undefined) await replacePassword(db, account.id, passwordHash);
  if (name !== undefined) await setName(db, account.id, name);
  return startSession(db, account.id, client, { awaitsTotp: account.has_totp });
}
