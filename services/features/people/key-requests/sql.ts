import type { Db } from '../../../core/db.ts';

export interface KeyRequestRow {
  token_hash: string;
  code: string;
  name: string;
  scopes: string[];
  sites: string[];
  address: string;
  user_id: string | null;
  denied: boolean;
  created_at: Date;
  expires_at: Date;
}

export type NewKeyRequest = Pick<
  KeyRequestRow,
  'token_hash' | 'code' | 'name' | 'scopes' | 'sites' | 'address' | 'expires_at'
>;

const columns = 'token_hash, code, name, scopes, sites, address, user_id, denied, created_at, expires_at';
/** Neither approved nor denied nor expired. */
const isOpen = 'user_id IS NULL AND expires_at > now()';

/** Inserts a request; returns false if the code is in use. */
export async function insertKeyRequest(db: Db, request: NewKeyRequest): Promise<boolean> {
  const { token_hash, code, name, scopes, sites, address, expires_at } = request;
  const rows = await db.query(
    `INSERT INTO key_requests (token_hash, code, name, scopes, sites, address, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (code) DO NOTHING RETURNING code`,
    [token_hash, code, name, scopes, sites, address, expires_at],
  );
  return rows.length > 0;
}

/** Selects an open request by the code. */
export async function selectOpenRequest(db: Db, code: string): Promise<KeyRequestRow | undefined> {
  const [row] = await db.query<KeyRequestRow>(`SELECT ${columns} FROM key_requests WHERE code = $1 AND ${isOpen}`, [
    code,
  ]);
  return row;
}

/** Selects an unexpired request by the hash of its token. */
export async function selectRequestOfToken(db: Db, tokenHash: string): Promise<KeyRequestRow | undefined> {
  const [row] = await db.query<KeyRequestRow>(
    `SELECT ${columns} FROM key_requests WHERE token_hash = $1 AND expires_at > now()`,
    [tokenHash],
  );
  return row;
}

/** Approves or denies an open request; returns false if it is not open. */
export async function decideRequest(db: Db, code: string, userId: string, denied: boolean): Promise<boolean> {
  const rows = await db.query(
    `UPDATE key_requests SET user_id = $2, denied = $3 WHERE code = $1 AND ${isOpen} RETURNING code`,
    [code, userId, denied],
  );
  return rows.length > 0;
}

/** Deletes a request that was decided; returns false if another transaction has. */
export async function deleteRequest(db: Db, tokenHash: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM key_requests WHERE token_hash = $1 RETURNING token_hash', [tokenHash]);
  return rows.length > 0;
}

/** Selects the e-mail address of an active user. */
export async function selectActiveEmail(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>('SELECT email FROM users WHERE id = $1 AND active', [userId]);
  return row?.email;
}
