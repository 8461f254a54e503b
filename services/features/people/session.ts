import type { Db } from '../../core/db.ts';
import type { Session } from '../dashboard-route.ts';
import { findSession, readRoles, touchSession } from '../users/index.ts';
import { hashToken } from './tokens.ts';

/**
 * Returns the session of the token of a cookie, or undefined if it is unknown, ended, expired or of a deactivated user.
 * It reads the row with user and roles on every request, so that a sign-out or a removed role takes effect on all
 * replicas at once.
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
