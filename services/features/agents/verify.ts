import type { Db } from '../../core/db.ts';
import type { Caller } from '../../core/http.ts';
import { hashToken } from '../people/index.ts';
import { readRoles } from '../users/index.ts';
import { findGrantOfToken, touchGrant } from './grants-sql.ts';

/**
 * Returns the caller of an access token for this resource; undefined if it is unknown, expired, revoked or of a
 * deactivated user. It reads the grant with the user's roles on every request, so that revoking and lost roles take
 * effect at once on all replicas.
 */
export async function verifyAccessToken(db: Db, token: string, resource: string): Promise<Caller | undefined> {
  const row = await findGrantOfToken(db, hashToken(token), resource);
  if (!row) return undefined;
  if (row.is_stale) await touchGrant(db, row.id);
  const { id, user_id: userId, client_name: name, scopes, sites } = row;
  return { via: 'agent', id, userId, name, scopes, sites, roles: readRoles(row) };
}
