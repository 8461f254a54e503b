import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { type Account, findAccount, findAccountByEmail } from './accounts-sql.ts';
import { matchesPassword } from './passwords.ts';
import { wrongCredentials } from './sign-in.ts';

/**
 * The account of this e-mail and password. Every failure takes one argon2 check and is the same error. Before the transaction: it is
 * slow. Throws `unauthorized`.
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
 * Asks a signed-in user for the password once more, before something that a stolen session must not do. A user without a password, who
 * came by a link, is not asked. Before the transaction. Throws `forbidden`.
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
