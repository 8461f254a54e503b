import type { Db } from '../../core/db.ts';
import { type RolesRow, rolesColumns } from '../users/index.ts';

/** What a user allowed an agent to do. */
export interface Grant {
  clientId: string;
  clientName: string;
  redirectUri: string;
  resource: string;
  scopes: readonly string[];
  sites: readonly string[];
}

/** A grant in the list of a user's connected agents. */
export interface GrantRow {
  id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  scopes: string[];
  sites: string[];
  created_at: Date;
  used_at: Date | null;
}

/** A grant with the current roles of its user. */
export interface VerifiedGrantRow extends RolesRow {
  id: string;
  user_id: string;
  client_name: string;
  scopes: string[];
  sites: string[];
  /** `used_at` is more than five minutes old. */
  is_stale: boolean;
}

export type TokenKind = 'code' | 'access' | 'refresh';

/** A code or a token with its grant. */
export interface TokenRow {
  grant_id: string;
  user_id: string;
  client_id: string;
  redirect_uri: string;
  resource: string;
  scopes: string[];
  code_challenge: string | null;
  used_at: Date | null;
  /** Neither the token nor the grant has expired or is revoked, and the user is active. */
  is_valid: boolean;
}

/** The precision of `used_at`: a write on every request would cost too much. */
const recorded = "INTERVAL '5 minutes'";

/** Inserts a grant that expires after `seconds` and returns its id. */
export async function insertGrant(db: Db, userId: string, grant: Grant, seconds: number): Promise<string> {
  const rows = await db.query<{ id: string }>(
    `INSERT INTO agent_grants (user_id, client_id, client_name, redirect_uri, resource, scopes, sites, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::FLOAT8 * INTERVAL '1 second') RETURNING id`,
    [userId, grant.clientId, grant.clientName, grant.redirectUri, grant.resource, grant.scopes, grant.sites, seconds],
  );
  return rows[0]!.id;
}

/** Keeps a grant for `seconds` from now. */
export async function extendGrant(db: Db, id: string, seconds: number): Promise<void> {
  await db.query("UPDATE agent_grants SET expires_at = now() + $2::FLOAT8 * INTERVAL '1 second' WHERE id = $1", [
    id,
    seconds,
  ]);
}

interface NewToken {
  hash: string;
  grantId: string;
  kind: TokenKind;
  seconds: number;
  codeChallenge?: string;
}

export async function insertToken(db: Db, { hash, grantId, kind, seconds, codeChallenge }: NewToken): Promise<void> {
  await db.query(
    `INSERT INTO agent_tokens (token_hash, grant_id, kind, code_challenge, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5::FLOAT8 * INTERVAL '1 second')`,
    [hash, grantId, kind, codeChallenge ?? null, seconds],
  );
}

/** Returns a token of one of these kinds with its grant, whatever their state; undefined if it is unknown. */
export async function findToken(db: Db, hash: string, kinds: readonly TokenKind[]): Promise<TokenRow | undefined> {
  const rows = await db.query<TokenRow>(
    `SELECT t.grant_id, g.user_id, g.client_id, g.redirect_uri, g.resource, g.scopes, t.code_challenge, t.used_at,
       t.expires_at > now() AND g.expires_at > now() AND g.revoked_at IS NULL AND u.active AS is_valid
     FROM agent_tokens t JOIN agent_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
     WHERE t.token_hash = $1 AND t.kind = ANY($2::TEXT[])`,
    [hash, kinds],
  );
  return rows[0];
}

/** Marks a code or refresh token as used. Returns false if it was used before: of two requests, one gets true. */
export async function consumeToken(db: Db, hash: string): Promise<boolean> {
  const rows = await db.query(
    'UPDATE agent_tokens SET used_at = now() WHERE token_hash = $1 AND used_at IS NULL RETURNING token_hash',
    [hash],
  );
  return rows.length > 0;
}

/** Revokes a grant and with it all its tokens. Returns false if there is no such grant, or it is revoked. */
export async function revokeGrant(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(
    'UPDATE agent_grants SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
    [id],
  );
  return rows.length > 0;
}

/** Revokes a grant of a user. Returns it, or undefined if the user has no such grant. */
export async function revokeGrantOf(db: Db, userId: string, id: string): Promise<GrantRow | undefined> {
  const rows = await db.query<GrantRow>(
    `UPDATE agent_grants SET revoked_at = now() WHERE id = $1 AND user_id = $2 AND revoked_at IS NULL
     RETURNING id, client_id, client_name, redirect_uri, scopes, sites, created_at, used_at`,
    [id, userId],
  );
  return rows[0];
}

/** Returns at most 100 connected agents of a user, the newest first. */
export function selectGrants(db: Db, userId: string): Promise<GrantRow[]> {
  return db.query<GrantRow>(
    `SELECT id, client_id, client_name, redirect_uri, scopes, sites, created_at, used_at FROM agent_grants
     WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > now() ORDER BY created_at DESC, id LIMIT 100`,
    [userId],
  );
}

/**
 * Returns the grant of an access token for this resource with the roles of its user, in one statement as for keys.
 * Undefined if the token or the grant has ended or the user is deactivated.
 */
export async function findGrantOfToken(db: Db, hash: string, resource: string): Promise<VerifiedGrantRow | undefined> {
  const rows = await db.query<VerifiedGrantRow>(
    `SELECT g.id, g.user_id, g.client_name, g.scopes, g.sites,
       g.used_at IS NULL OR g.used_at < now() - ${recorded} AS is_stale, ${rolesColumns}
     FROM agent_tokens t JOIN agent_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
     WHERE t.token_hash = $1 AND t.kind = 'access' AND t.expires_at > now()
       AND g.revoked_at IS NULL AND g.expires_at > now() AND g.resource = $2 AND u.active`,
    [hash, resource],
  );
  return rows[0];
}

export async function touchGrant(db: Db, id: string): Promise<void> {
  await db.query(
    `UPDATE agent_grants SET used_at = now() WHERE id = $1 AND (used_at IS NULL OR used_at < now() - ${recorded})`,
    [id],
  );
}
