import type { Db } from '../../core/db.ts';
import { type JoinedSiteRow, joinedSiteColumns } from '../sites/index.ts';
import { type RolesRow, rolesColumns } from '../users/index.ts';

export interface KeyRow {
  id: string;
  user_id: string;
  name: string;
  scopes: string[];
  sites: string[];
  secret_hash: string;
  previous_hash: string | null;
  previous_until: Date | null;
  revoked_at: Date | null;
  /** Null for a key that does not expire. */
  expires_at: Date | null;
  /** To within five minutes; null for a key that was never used. */
  last_used_at: Date | null;
  created_at: Date;
  user_active: boolean;
  user_email: string;
}

const columns = `k.id, k.user_id, k.name, k.scopes, k.sites, k.secret_hash, k.previous_hash, k.previous_until,
  k.revoked_at, k.expires_at, k.last_used_at, k.created_at, u.active AS user_active, u.email AS user_email`;

type VerificationRow = KeyRow & RolesRow & JoinedSiteRow;

/**
 * Returns a key with the current roles of its user, and the site with this slug, in one statement: a reduced role takes
 * effect with the next request. The site need not be one of the key's, or exist.
 */
export async function findKeyForVerification(
  db: Db,
  id: string,
  siteSlug: string | null,
): Promise<VerificationRow | undefined> {
  const rows = await db.query<VerificationRow>(
    `SELECT ${columns}, ${rolesColumns}, ${joinedSiteColumns}
     FROM api_keys k JOIN users u ON u.id = k.user_id LEFT JOIN sites s ON s.slug = $2::TEXT WHERE k.id = $1`,
    [id, siteSlug],
  );
  return rows[0];
}

/** Returns the keys of a user, or all keys, newest first. */
export function listKeyRows(db: Db, userId: string | null): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    `SELECT ${columns} FROM api_keys k JOIN users u ON u.id = k.user_id
     WHERE $1::UUID IS NULL OR k.user_id = $1::UUID ORDER BY k.created_at DESC, k.id DESC`,
    [userId],
  );
}

/** Records that a key is in use, at most once in five minutes. */
export async function recordKeyUse(db: Db, id: string): Promise<void> {
  await db.query(
    "UPDATE api_keys SET last_used_at = now() WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - INTERVAL '5 minutes')",
    [id],
  );
}

interface NewKey {
  id: string;
  userId: string;
  name: string;
  scopes: string[];
  sites: string[];
  secretHash: string;
  expiresAt: Date | null;
}

/** Inserts a key; returns false when the public id is in use. */
export async function insertKey(db: Db, key: NewKey): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO api_keys (id, user_id, name, scopes, sites, secret_hash, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO NOTHING RETURNING id`,
    [key.id, key.userId, key.name, key.scopes, key.sites, key.secretHash, key.expiresAt],
  );
  return rows.length > 0;
}

/** Replaces a key's secret; the old one stays valid until `previousUntil`, or expires at once when that is null. */
export async function replaceKeySecret(
  db: Db,
  id: string,
  secretHash: string,
  previousUntil: Date | null,
): Promise<KeyRow | undefined> {
  await db.query(
    `UPDATE api_keys SET previous_hash = CASE WHEN $3::TIMESTAMPTZ IS NULL THEN NULL ELSE secret_hash END,
       previous_until = $3::TIMESTAMPTZ, secret_hash = $2 WHERE id = $1 AND revoked_at IS NULL`,
    [id, secretHash, previousUntil],
  );
  const row = await findKeyForVerification(db, id, null);
  return row?.secret_hash === secretHash ? row : undefined;
}

export async function revokeKeyRow(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(
    'UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now()) WHERE id = $1 RETURNING id',
    [id],
  );
  return rows.length > 0;
}
