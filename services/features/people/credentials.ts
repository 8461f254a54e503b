import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { hasSession } from '../users/index.ts';
import { type Account, findAccount, findAccountByEmail } from './accounts-sql.ts';
import { matchesPassword } from './passwords.ts';
import { type SessionIdentity, sessionEnded, wrongCredentials } from './sign-in.ts';

/** The stored hash of the confirmed password; null for a user without a password. */
export interface Confirmed {
  passwordHash: string | null;
}

const wrongPassword = () => problem('forbidden', 'The password is wrong.');

/**
 * Returns the account with this e-mail address and password. Every failure costs one argon2 check and throws the same
 * `unauthorized` error. The check is slow: call this before the transaction.
 */
export async function checkCredentials(
  db: Db,
  { email, password }: { email: string; password: string },
  address: string,
): Promise<Account> {
  const account = await findAccountByEmail(db, email);
  const hash = account?.active ? account.password_hash : null;
  if (!(await matchesPassword(hash, password, address))) throw wrongCredentials();
  return account!;
}

/**
 * Checks the password of a signed-in user again, before a change that a stolen session must not make. A user without a
 * password, who signed in by a link, passes. Call it before the transaction, and `requireConfirmed` in it with the
 * returned hash. Throws `forbidden`.
 */
export async function confirmPassword(
  db: Db,
  userId: string,
  password: string | undefined,
  address: string,
): Promise<Confirmed> {
  const account = await findAccount(db, userId);
  if (account && account.password_hash === null) return { passwordHash: null };
  if (!(await matchesPassword(account?.password_hash ?? null, password ?? '', address))) throw wrongPassword();
  return { passwordHash: account!.password_hash };
}

/**
 * Throws `unauthorized` if the session has ended since `confirmPassword`, and `forbidden` if the password has changed:
 * of two concurrent changes, the second fails. Call it in the transaction of the change.
 */
export async function requireConfirmed(
  db: Db,
  { userId, id }: SessionIdentity,
  { passwordHash }: Confirmed,
): Promise<void> {
  if (!(await hasSession(db, userId, id))) throw sessionEnded();
  if ((await findAccount(db, userId))?.password_hash !== passwordHash) throw wrongPassword();
}
