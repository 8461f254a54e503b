import type { Db } from '../../core/db.ts';
import { type Problem, problem } from '../../core/errors.ts';
import type { Cipher } from '../../core/secrets.ts';
import { endAccess, endSession, insertSession } from '../users/index.ts';
import { type Account, findAccount, setPasswordHash } from './accounts-sql.ts';
import { createToken, hashToken } from './tokens.ts';
import { acceptSecondFactor } from './totp.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The maximum lifetime of a session, regardless of use. */
export const sessionLifetimeMs = 30 * dayMs;
/** The lifetime of a session that waits for the second factor. */
const secondFactorMs = 10 * 60 * 1000;

/** The client of a request; stored with the session for the list of sessions. */
export interface Client {
  address: string;
  userAgent: string;
}

/** A new session. `next` is `totp` while the second factor is missing. */
export interface SignedIn {
  userId: string;
  token: string;
  next: 'done' | 'totp';
}

/** Returns the same error for an unknown e-mail, a wrong password, a deactivated user and a user without a password. */
export const wrongCredentials = (): Problem => problem('unauthorized', 'The e-mail address or the password is wrong.');

/** Returns the error of a session that ended between the check of a request and its transaction. */
export const sessionEnded = (): Problem => problem('unauthorized', 'Sign in first: the session has ended.');

/** Starts a session. Call it in the transaction that consumes the link or code. */
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

/**
 * Signs in an account after the password check. Throws `unauthorized` if the password has changed since, or the user is
 * deactivated.
 */
export async function signIn(db: Db, checked: Account, client: Client): Promise<SignedIn> {
  const account = await findAccount(db, checked.id);
  if (!account?.active || account.password_hash !== checked.password_hash) throw wrongCredentials();
  return startSession(db, account.id, client, { awaitsTotp: account.has_totp });
}

/** The part of a session that the functions here need. */
export interface SessionIdentity {
  id: string;
  userId: string;
}

/** Replaces a session that waits for the second factor by a signed-in one with a new token. Throws `unauthorized`. */
export async function signInWithSecondFactor(
  db: Db,
  cipher: Cipher,
  session: SessionIdentity,
  code: string,
  client: Client,
): Promise<SignedIn> {
  if (!(await acceptSecondFactor(db, cipher, session.userId, code)))
    throw problem('unauthorized', 'The code is wrong, or was used before.');
  if (!(await endSession(db, session.userId, session.id))) throw sessionEnded();
  return startSession(db, session.userId, client);
}

/**
 * Sets the password and ends all sessions and links of the user; the caller starts a new session. Call it in a
 * transaction.
 */
export async function replacePassword(db: Db, userId: string, hash: string): Promise<void> {
  await setPasswordHash(db, userId, hash);
  await endAccess(db, userId);
}
