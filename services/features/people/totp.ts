import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { Cipher } from '../../core/secrets.ts';
import { hashToken } from './tokens.ts';

const issuer = 'Fieldstone';
const periodSeconds = 30;
/**
 * Also accept the code of one step before or after, because clocks differ and typing takes time (RFC 6238, section
 * 5.2).
 */
const window = 1;
const recoveryCodeCount = 10;
const secretBytes = 20;
const recoveryCodeBytes = 10;

const contextOf = (userId: string): string => `totp:${userId}`;

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/** Returns the time step of a code, or null for a wrong code. */
function stepOf(secret: string, code: string, now: number): number | null {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window });
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta;
}

async function readSecret(db: Db, cipher: Cipher, userId: string, confirmed: boolean): Promise<string | undefined> {
  const rows = await db.query<{ secret: string }>(
    'SELECT secret FROM user_totp WHERE user_id = $1 AND (confirmed_at IS NOT NULL) = $2::BOOL',
    [userId, confirmed],
  );
  return rows[0] && cipher.decrypt(rows[0].secret, contextOf(userId));
}

/**
 * Creates a secret, which takes effect with `confirmTotp`, and replaces an unconfirmed one. Call it in a transaction.
 * Throws `conflict` if the user already has TOTP.
 */
export async function beginTotp(
  db: Db,
  cipher: Cipher,
  user: { id: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(secretBytes)).buffer }).base32;
  const rows = await db.query(
    `INSERT INTO user_totp (user_id, secret) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0 WHERE user_totp.confirmed_at IS NULL
     RETURNING user_id`,
    [user.id, cipher.encrypt(secret, contextOf(user.id))],
  );
  if (rows.length === 0) throw problem('conflict', 'Two-factor sign-in is on already: end it first.');
  return { secret, uri: totpOf(secret, user.email).toString() };
}

function createRecoveryCode(): string {
  const text = new Secret({ buffer: new Uint8Array(randomBytes(recoveryCodeBytes)).buffer }).base32.toLowerCase();
  return text.match(/.{4}/g)!.join('-');
}

/**
 * Turns TOTP on with a first code and returns the recovery codes, of which only hashes are stored. Call it in a
 * transaction. Throws `conflict` without `beginTotp`, `forbidden` for a wrong code.
 */
export async function confirmTotp(
  db: Db,
  cipher: Cipher,
  userId: string,
  code: string,
  now = Date.now(),
): Promise<string[]> {
  const secret = await readSecret(db, cipher, userId, false);
  if (secret === undefined) throw problem('conflict', 'Two-factor sign-in was not begun, or is on already.');
  const step = stepOf(secret, code, now);
  if (step === null) throw problem('forbidden', 'The code is wrong. Is the clock of the device right?');
  await db.query('UPDATE user_totp SET confirmed_at = now(), last_step = $2 WHERE user_id = $1', [userId, step]);
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode);
  await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  await db.query('INSERT INTO recovery_codes (user_id, code_hash) SELECT $1::UUID, unnest($2::TEXT[])', [
    userId,
    codes.map(hashToken),
  ]);
  return codes;
}

/** Turns TOTP off and deletes the recovery codes. Returns false if the user had no TOTP. */
export async function removeTotp(db: Db, userId: string): Promise<boolean> {
  await db.query('DELETE FROM recovery_codes WHERE user_id = $1', [userId]);
  const rows = await db.query('DELETE FROM user_totp WHERE user_id = $1 RETURNING user_id', [userId]);
  return rows.length > 0;
}

async function acceptTotp(db: Db, cipher: Cipher, userId: string, code: string, now: number): Promise<boolean> {
  const secret = await readSecret(db, cipher, userId, true);
  const step = secret === undefined ? null : stepOf(secret, code, now);
  if (step === null) return false;
  // one compare-and-set statement: of two requests with the same code, one succeeds
  const rows = await db.query(
    'UPDATE user_totp SET last_step = $2 WHERE user_id = $1 AND last_step < $2 RETURNING user_id',
    [userId, step],
  );
  return rows.length > 0;
}

async function acceptRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id', [
    userId,
    hashToken(code),
  ]);
  return rows.length > 0;
}

/** Consumes a TOTP code or a recovery code (any case, hyphens optional). Returns false for a wrong or used code. */
export function acceptSecondFactor(
  db: Db,
  cipher: Cipher,
  userId: string,
  code: string,
  now = Date.now(),
): Promise<boolean> {
  const plain = code.replaceAll(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(plain)) return acceptTotp(db, cipher, userId, plain, now);
  return acceptRecoveryCode(db, userId, plain.match(/.{1,4}/g)?.join('-') ?? '');
}

/** Returns the number of unused recovery codes. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'SELECT count(*)::INT4 AS count FROM recovery_codes WHERE user_id = $1',
    [userId],
  );
  return rows[0]!.count;
}

/** Encrypts secrets again that do not use the current key. Returns the number of updated secrets. */
export async function rekeyTotp(db: Db, cipher: Cipher): Promise<number> {
  let rekeyed = 0;
  for (const { user_id, secret } of await db.query<{ user_id: string; secret: string }>(
    'SELECT user_id, secret FROM user_totp',
  )) {
    if (cipher.isCurrent(secret)) continue;
    const sealed = cipher.encrypt(cipher.decrypt(secret, contextOf(user_id)), contextOf(user_id));
    const rows = await db.query(
      'UPDATE user_totp SET secret = $3 WHERE user_id = $1 AND secret = $2 RETURNING user_id',
      [user_id, secret, sealed],
    );
    rekeyed += rows.length;
  }
  return rekeyed;
}
