import type { Db } from '../../core/db.ts';
import type { Session } from '../dashboard-route.ts';
import { findSession, readRoles, touchSession } from '../users/index.ts';
import { hashToken } from './tokens.ts';

/**
 * The session of the token that a cookie holds, or undefined: unknown, ended, expired, or of a deactivated user. Reads the row with its
 * user and roles at every request, so that nothing outlives a sign-out or a lost role, on any replica.
 */
export async function readSession(db: Db, token: string): Promise<Session | undefined> {
  const row = await findSession(db, hashToken(token));
  if (!row) return undefined;
  if (row.is_stale) await touchSession(db, row.id);
  return {
    id: row.id,
    userId: row.user_id,
    email: row.email,
    name: row.name,
    roles: readRoles(row),
    awaitsTotp: row.awaits_totp,
    createdAt: row.created_at,
  };
}
