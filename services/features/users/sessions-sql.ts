import type { Db } from '../../core/db.ts';
import { type RolesRow, rolesColumns } from './roles-sql.ts';

/** A session with the current name and roles of its user. */
export interface SessionRow extends RolesRow {
  id: string;
  user_id: string;
  awaits_totp: boolean;
  created_at: Date;
  expires_at: Date;
  email: string;
  name: string | null;
  /** `seen_at` is more than five minutes old. */
  is_stale: boolean;
}

/** A session in the list of sessions. */
export interface SessionSummary {
  id: string;
  address: string;
  user_agent: string;
  created_at: Date;
  seen_at: Date;
  expires_at: Date;
}

export interface NewSession {
  tokenHash: string;
  userId: string;
  awaitsTotp: boolean;
  address: string;
  userAgent: string;
  expiresAt: Date;
}

/** A session ends when it is not used for this time. */
const idle = "INTERVAL '7 days'";
/** The precision of `seen_at`: a write on every request would cost too much. */
const recorded = "INTERVAL '5 minutes'";
const alive = `expires_at > now() AND seen_at > now() - ${idle}`;

export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const rows = await db.query<{ id: string }>(
    `INSERT INTO sessions (token_hash, user_id, awaits_totp, address, user_agent, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [session.tokenHash, session.userId, session.awaitsTotp, session.address, session.userAgent, session.expiresAt],
  );
  return rows[0]!.id;
}

/** Returns whether a session of the user has not ended. */
export async function hasSession(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db.query(`SELECT id FROM sessions WHERE id = $1 AND user_id = $2 AND ${alive}`, [id, userId]);
  return rows.length > 0;
}

/**
 * Returns the session of a token with the user's roles, in one statement as for keys; undefined if it has ended or the
 * user is deactivated.
 */
export async function findSession(db: Db, tokenHash: string): Promise<SessionRow | undefined> {
  const rows = await db.query<SessionRow>(
    `SELECT s.id, s.user_id, s.awaits_totp, s.created_at, s.expires_at, u.email, u.name,
       s.seen_at < now() - ${recorded} AS is_stale, ${rolesColumns}
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.token_hash = $1 AND s.expires_at > now() AND s.seen_at > now() - ${idle} AND u.active`,
    [tokenHash],
  );
  return rows[0];
}

export async function touchSession(db: Db, id: string): Promise<void> {
  await db.query(`UPDATE sessions SET seen_at = now() WHERE id = $1 AND seen_at < now() - ${recorded}`, [id]);
}

/** Returns at most 100 signed-in sessions of a user, the last used one first. */
export function selectSessions(db: Db, userId: string): Promise<SessionSummary[]> {
  return db.query<SessionSummary>(
    `SELECT id, address, user_agent, created_at, seen_at, expires_at FROM sessions
     WHERE user_id = $1 AND NOT awaits_totp AND ${alive} ORDER BY seen_at DESC, id LIMIT 100`,
    [userId],
  );
}

/** Ends one session of a user. Returns false if the user has no such session. */
export async function endSession(db: Db, userId: string, id: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM sessions WHERE id = $1 AND user_id = $2 RETURNING id', [id, userId]);
  return rows.length > 0;
}

/** Ends every session of a user. */
export async function endSessions(db: Db, userId: string): Promise<void> {
  await db.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
}

/**
 * Ends every session of a user, and deletes the links that could start a new one. Called when the user is deactivated
 * or the password changes.
 */
export async function endAccess(db: Db, userId: string): Promise<void> {
  await endSessions(db, userId);
  await db.query('DELETE FROM account_links WHERE user_id = $1', [userId]);
}
