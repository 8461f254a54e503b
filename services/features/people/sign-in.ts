import type { Db } from '../../core/db.ts';
import { type Problem, problem } from '../../core/errors.ts';
import type { Cipher } from '../../core/secrets.ts';
import { endAccess, endSession, insertSession } from '../users/index.ts';
import { type Account, findAccount, setPasswordHash } from './accounts-sql.ts';
import { createToken, hashToken } from './tokens.ts';
import { acceptSecondFactor } from './totp.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A session ends then, however often it is used. */
export const sessionLifetimeMs = 30 * dayMs;
/** Time for the second factor after the password. */
const secondFactorMs = 10 * 60 * 1000;

/** Where a request comes from; kept with the session, for the list of sessions. */
export interface Client {
  address: string;
  userAgent: string;
}

/** What signing in leads to: `totp`: the second factor is still to be sent. */
export interface SignedIn {
  userId: string;
  token: string;
  next: 'done' | 'totp';
}

/** One sentence for an unknown e-mail, a wrong password, a deactivated user and one without a password. */
export const wrongCredentials = (): Problem => problem('unauthorized', 'The e-mail address or the password is wrong.');

/** Starts a session. In the transaction that used up what allowed it. */
export async function startSession(
  db: Db,
  userId: string,
  client: Client,
  { awaitsTotp = false } = {},
): Promise<SignedIn> {
  const token = createToken();
  await insertSession(db, {
    tokenHash: hashToken(token),
    userId,
    awaitsTotp,
    address: client.address,
    userAgent: client.userAgent.slice(0, 300),
    expiresAt: new Date(Date.now() + (awaitsTotp ? secondFactorMs : sessionLifetimeMs)),
  });
  return { userId, token, next: awaitsTotp ? 'totp' : 'done' };
}

/** Signs in an account whose password was checked, unless that password has changed meanwhile. Throws `unauthorized`. */
export async function signIn(db: Db, checked: Account, client: Client): Promise<SignedIn> {
  const account = await findAccount(db, checked.id);
  if (!account?.active || account.password_hash !== checked.password_hash) throw wrongCredentials();
  return startSession(db, account.id, client, { awaitsTotp: account.has_totp });
}

/** What a session needs to be known by here. */
export interface SessionIdentity {
  id: string;
  userId: string;
}

/** Turns a session that waits for its second factor into a signed-in one with another token. Throws `unauthorized`. */
export async function signInWithSecondFactor(
  db: Db,
  cipher: Cipher,
  session: SessionIdentity,
  code: string,
  client: Client,
): Promise<SignedIn> {
  if (!(await acceptSecondFactor(db, cipher, session.userId, code)))
    throw problem('unauthorized', 'The code is wrong, or was used before.');
  if (!(await endSession(db, session.userId, session.id)))
    throw problem('unauthorized', 'Sign in first: the session has ended.');
  return startSession(db, session.userId, client);
}

/** Sets the password and ends every session and link of the user; the caller starts a new session. In a transaction. */
export async function replacePassword(db: Db, userId: string, hash: string): Promise<void> {
  await setPasswordHash(db, userId, hash);
  await endAccess(db, userId);
}
