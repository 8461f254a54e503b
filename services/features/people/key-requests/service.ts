import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../core/config.ts';
import type { Db } from '../../../core/db.ts';
import { type Problem, problem } from '../../../core/errors.ts';
import { recordChange } from '../../audit/index.ts';
import { type CreatedKey, createKey, type NewSecret } from '../../keys/index.ts';
import { createToken, hashToken } from '../tokens.ts';
import {
  decideRequest,
  deleteRequest,
  insertKeyRequest,
  type KeyRequestRow,
  selectActiveEmail,
  selectOpenRequest,
  selectRequestOfToken,
} from './sql.ts';

/** Minutes for which a request can be approved, and its key fetched. */
const requestMinutes = 10;
/** How often a waiting claim reads its request. */
const decisionCheckMs = 1000;
/** Consonants only, so that a code is no word, without letters that look like digits. */
const codeLetters = 'BCDFGHJKMNPQRSTVWXYZ';
const codeLength = 8;

const lostRequest = (): Problem =>
  problem('not_found', `There is no such request: requests can be approved once, and for ${requestMinutes} minutes.`);

function createCode(): string {
  const letters = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Returns the stored form of a code that a user typed. */
function normaliseCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/**
 * Creates a request for an API key, which a signed-in user approves. The token is returned this once: only its hash is
 * stored. The code identifies the request to the user.
 */
export async function openKeyRequest(
  db: Db,
  { url }: Pick<Config, 'url'>,
  request: Pick<KeyRequestRow, 'name' | 'scopes' | 'sites' | 'address'>,
): Promise<{ token: string; code: string; url: string; expiresAt: Date }> {
  const token = createToken();
  const expiresAt = new Date(Date.now() + requestMinutes * 60_000);
  for (;;) {
    const code = createCode();
    if (await insertKeyRequest(db, { ...request, token_hash: hashToken(token), code, expires_at: expiresAt }))
      return { token, code, url: `${url}/dashboard/key-request#${code}`, expiresAt };
  }
}

/** Returns an open request. Throws `not_found` if it is unknown, expired, approved or denied. */
export async function requireOpenRequest(db: Db, code: string): Promise<KeyRequestRow> {
  const row = await selectOpenRequest(db, normaliseCode(code));
  if (!row) throw lostRequest();
  return row;
}

/** Approves or denies an open request on behalf of a user. Throws `not_found`. */
export async function decideKeyRequest(db: Db, code: string, userId: string, denied: boolean): Promise<void> {
  if (!(await decideRequest(db, normaliseCode(code), userId, denied))) throw lostRequest();
}

/**
 * Waits until a request is decided, for the given time at most. Returns whether it is approved. Throws `not_found` if
 * it is unknown, expired or claimed.
 */
export async function waitForDecision(db: Db, token: string, seconds: number): Promise<boolean> {
  const endsAt = performance.now() + seconds * 1000;
  for (;;) {
    const row = await selectRequestOfToken(db, hashToken(token));
    if (!row) throw lostRequest();
    if (row.user_id !== null || performance.now() >= endsAt) return row.user_id !== null && !row.denied;
    await sleep(decisionCheckMs);
  }
}

/**
 * Creates the key of an approved request and deletes the request; null while it is undecided. The key belongs to the
 * user who approved. Throws `forbidden` for a denied request, `not_found` for one that is unknown, expired, claimed or
 * of a deactivated user. `secret` is that of the new key if it was hashed before. Call it in a transaction.
 */
export async function claimKey(
  db: Db,
  token: string,
  secret: NewSecret | undefined,
): Promise<{ user: string; key: CreatedKey } | null> {
  const row = await selectRequestOfToken(db, hashToken(token));
  if (!row) throw lostRequest();
  if (row.user_id === null) return null;
  if (row.denied) throw problem('forbidden', 'The request was denied in the dashboard.');
  const user = await selectActiveEmail(db, row.user_id);
  if (!user || !(await deleteRequest(db, row.token_hash))) throw lostRequest();
  const { name, scopes, sites } = row;
  const key = await createKey(db, { name, scopes, sites, userEmail: user }, secret);
  const target = { kind: 'keys', id: key.id, name };
  await recordChange(db, { operation: 'keys.create', site: null, target }, { via: 'dashboard', userId: row.user_id });
  return { user, key };
}
