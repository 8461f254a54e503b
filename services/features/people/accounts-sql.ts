import type { Db } from '../../core/db.ts';

/** The columns of a user that sign-in needs. */
export interface Account {
  id: string;
  email: string;
  name: string | null;
  active: boolean;
  password_hash: string | null;
  /** Whether sign-in requires a second factor. */
  has_totp: boolean;
}

const columns = `u.id, u.email, u.name, u.active, u.password_hash,
  EXISTS (SELECT 1 FROM user_totp t WHERE t.user_id = u.id AND t.confirmed_at IS NOT NULL) AS has_totp`;

export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  const rows = await db.query<Account>(`SELECT ${columns} FROM users u WHERE u.email = $1`, [email.toLowerCase()]);
  return rows[0];
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const rows = await db.query<Account>(`SELECT ${columns} FROM users u WHERE u.id = $1`, [id]);
  return rows[0];
}

export async function setPasswordHash(db: Db, userId: string, hash: string): Promise<void> {
  await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, hash]);
}

export async function setName(db: Db, userId: string, name: string): Promise<void> {
  await db.query('UPDATE users SET name = $2 WHERE id = $1', [userId, name]);
}
