import type { Db } from '../../core/db.ts';

/** An idempotency key belongs to one API key, method and path (contract: Idempotency). */
export interface KeyIdentity {
  apiKeyId: string;
  method: string;
  path: string;
  key: string;
}

/** The columns that hold a reply, except its status. */
export interface StoredReply {
  /** Headers and body, encrypted. */
  reply: string | null;
  /**
   * Hashes of the objects that the reply contains, separated by spaces; they are kept as long as it may be replayed.
   */
  reply_hash: string | null;
}

export interface StoredKey extends StoredReply {
  body_hash: string;
  /** Null while the first request is running. */
  status: number | null;
}

const at = (identity: KeyIdentity) => [identity.apiKeyId, identity.method, identity.path, identity.key] as const;
const where = 'api_key_id = $1 AND method = $2 AND path = $3 AND idempotency_key = $4';

/** Claims the key. Returns true if the key is new, older than 24 hours, or its holder died. */
export async function claimKey(
  db: Db,
  identity: KeyIdentity,
  holder: string,
  bodyHash: string,
  lockSeconds: number,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO idempotency_keys (api_key_id, method, path, idempotency_key, body_hash, holder, locked_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7::INT8 * INTERVAL '1 second', now() + INTERVAL '24 hours')
     ON CONFLICT (api_key_id, method, path, idempotency_key) DO UPDATE
       SET body_hash = excluded.body_hash, holder = excluded.holder, locked_until = excluded.locked_until,
           expires_at = excluded.expires_at, status = NULL, reply = NULL, reply_hash = NULL
       WHERE idempotency_keys.expires_at < now()
          OR (idempotency_keys.status IS NULL AND idempotency_keys.locked_until < now()
              AND idempotency_keys.body_hash = excluded.body_hash)
     RETURNING holder`,
    [...at(identity), bodyHash, holder, lockSeconds],
  );
  return rows.length > 0;
}

export async function findStoredKey(db: Db, identity: KeyIdentity): Promise<StoredKey | undefined> {
  const rows = await db.query<StoredKey>(
    `SELECT body_hash, status, reply, reply_hash FROM idempotency_keys WHERE ${where}`,
    at(identity),
  );
  return rows[0];
}

export async function extendLock(db: Db, identity: KeyIdentity, holder: string, lockSeconds: number): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET locked_until = now() + $6::INT8 * INTERVAL '1 second' WHERE ${where} AND holder = $5 AND status IS NULL`,
    [...at(identity), holder, lockSeconds],
  );
}

/** Returns false if the caller no longer holds the key. */
export async function completeKey(
  db: Db,
  identity: KeyIdentity,
  holder: string,
  status: number,
  { reply, reply_hash }: StoredReply,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE idempotency_keys SET status = $6, reply = $7, reply_hash = $8, expires_at = now() + INTERVAL '24 hours'
     WHERE ${where} AND holder = $5 AND status IS NULL RETURNING holder`,
    [...at(identity), holder, status, reply, reply_hash],
  );
  return rows.length > 0;
}

/** Stores a part of a reply, and replaces one left from before the key expired. */
export async function insertPart(db: Db, identity: KeyIdentity, part: number, sealed: Buffer): Promise<void> {
  await db.query(
    `INSERT INTO idempotency_parts (api_key_id, method, path, idempotency_key, part, sealed) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (api_key_id, method, path, idempotency_key, part) DO UPDATE SET sealed = excluded.sealed`,
    [...at(identity), part, sealed],
  );
}

/** Returns a part of a stored reply. Throws if it is gone because the key has expired. */
export async function selectPart(db: Db, identity: KeyIdentity, part: number): Promise<Buffer> {
  const [row] = await db.query<{ sealed: Buffer }>(
    `SELECT sealed FROM idempotency_parts WHERE ${where} AND part = $5`,
    [...at(identity), part],
  );
  if (!row) throw new Error('The stored reply has expired.');
  return row.sealed;
}

export async function releaseKey(db: Db, identity: KeyIdentity, holder: string): Promise<void> {
  await db.query(`DELETE FROM idempotency_keys WHERE ${where} AND holder = $5 AND status IS NULL`, [
    ...at(identity),
    holder,
  ]);
}
