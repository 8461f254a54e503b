import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, type Problem, problem } from '../../core/errors.ts';
import { type Account, findAccount, setName } from './accounts-sql.ts';
import { type Client, replacePassword, type SignedIn, startSession } from './sign-in.ts';
import { createToken, hashToken } from './tokens.ts';

/** `invitation` and `reset` set a password, `sign_in` does not. Each link signs in once. */
export type LinkKind = 'invitation' | 'reset' | 'sign_in';

/** A new link. Its URL is shown once: only the hash of the token is stored. */
export interface Link {
  kind: LinkKind;
  url: string;
  expiresAt: Date;
}

/** Minutes for which a link is valid (contract: People, agents and paths). */
export const linkMinutes = 15;

const deadLink = (): Problem =>
  problem('not_found', `This link is not valid any more: links work once and for ${linkMinutes} minutes.`);

/**
 * Creates a single-use link. The token is in the fragment, which browsers do not send to servers, so that no log file
 * contains it. Call it in a transaction.
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

/**
 * Returns kind, account and expiry of a link without using it. Throws `not_found` if it is unknown, used, expired or of
 * a deactivated user.
 */
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

/** The input of `acceptLink`. Links that set a password need `passwordHash`, the others must not have it. */
export interface LinkInput {
  token: string;
  name: string | undefined;
  passwordHash: string | undefined;
}

/**
 * Consumes a link and signs in. A link that sets a password first ends all sessions and links of the user. Call it in a
 * transaction, so that an error leaves the link usable. Throws `not_found` for an invalid link, `validation_failed` for
 * a missing or unexpected password.
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
