import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import { endAccess } from './sessions-sql.ts';

export interface User {
  id: string;
  email: string;
  role: 'admin' | 'member';
  active: boolean;
  created_at: Date;
}

const columns = 'id, email, role, active, created_at';
/** The maximum for mail (RFC 5321 with its erratum 1690); `name@localhost` is valid too. */
const maxEmailLength = 254;
const firstAdministratorEmail = 'admin@localhost';

/** Returns the oldest administrator: owner of keys created without `--user` (contract: Keys). */
export async function firstAdministrator(db: Db): Promise<User | undefined> {
  const rows = await db.query<User>(
    `SELECT ${columns} FROM users WHERE role = 'admin' ORDER BY created_at, id LIMIT 1`,
  );
  return rows[0];
}

/** Creates the first administrator if there is no administrator; safe to run again and concurrently. */
export async function ensureFirstAdministrator(db: Db): Promise<void> {
  await db.query(
    `INSERT INTO users (email, role) SELECT $1::TEXT, 'admin' WHERE NOT EXISTS (SELECT 1 FROM users WHERE role = 'admin')
     ON CONFLICT (email) DO NOTHING`,
    [firstAdministratorEmail],
  );
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const rows = await db.query<User>(`SELECT ${columns} FROM users WHERE email = $1`, [email.toLowerCase()]);
  return rows[0];
}

/** Creates a user. Throws `validation_failed` for an invalid email address, `conflict` for one in use. */
export async function createUser(db: Db, email: string, role: User['role'] = 'member'): Promise<User> {
  if (email.length > maxEmailLength || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email))
    throw invalid([{ path: 'email', message: `"${email.slice(0, maxEmailLength)}" is not an e-mail address` }]);
  const rows = await db.query<User>(
    `INSERT INTO users (email, role) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING RETURNING ${columns}`,
    [email.toLowerCase(), role],
  );
  if (!rows[0]) throw problem('conflict', `There is already a user ${email}.`);
  return rows[0];
}

/**
 * Activates or deactivates a user, in a transaction. Deactivating ends the user's sessions, and the user's keys are
 * rejected from the next request on (spec: API key); activating does not restore the sessions.
 */
export async function setUserActive(db: Db, email: string, active: boolean): Promise<User> {
  const rows = await db.query<User>(`UPDATE users SET active = $2 WHERE email = $1 RETURNING ${columns}`, [
    email.toLowerCase(),
    active,
  ]);
  if (!rows[0]) throw notFound('user');
  if (!active) await endAccess(db, rows[0].id);
  return rows[0];
}
