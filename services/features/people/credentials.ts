import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { type Account, findAccount, findAccountByEmail } from './accounts-sql.ts';
import { matchesPassword } from './passwords.ts';
import { wrongCredentials } from './sign-in.ts';

/**
 * Returns the account with this e-mail address and password. Every failure takes one argon2 check and is the same error. It is slow:
 * call it before the transaction. Throws `unauthorized`.
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
 * Checks the password of a signed-in user again, before a change that a stolen session must not make. A user without a password, who
 * signed in by a link, passes. Call it before the transaction. Throws `forbidden`.
 */
export async function confirmPassword(
  db: Db,
  userId: string,
  password: string | undefined,
  address: string,
): Promise<void> {
  const account = await findAccount(db, userId);
  if (account && account.password_hash === null) return;
  if (!(await matchesPassword(account?.password_hash ?? null, password ?? '', address)))
    throw problem('forbidden', 'The password is wrong.');
}
