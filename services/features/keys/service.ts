import type { Db } from '../../core/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { isScope } from '../../core/scopes.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { findUserByEmail, firstAdministrator } from '../users/service.ts';
import { formatKey, hashSecret, randomText } from './format.ts';
import { insertKey, listKeyRows, replaceKeySecret, revokeKeyRow } from './sql.ts';

export interface CreatedKey {
  id: string;
  /** The whole key; it is shown here and never again. */
  key: string;
  name: string;
  scopes: string[];
  sites: string[];
}

interface KeyRequest {
  name: string;
  scopes: string[];
  /** Site slugs (also of sites to come), or `*`. */
  sites: string[];
  /** The owner; the first administrator when absent. */
  userEmail?: string;
}

const idLength = 8;
const secretLength = 32;

function checkKeyRequest({ name, scopes, sites }: KeyRequest): void {
  const details = [];
  if (!name) details.push({ path: 'name', message: 'must not be empty' });
  if (scopes.length === 0) details.push({ path: 'scopes', message: 'must name at least one scope' });
  for (const scope of scopes)
    if (!isScope(scope)) details.push({ path: 'scopes', message: `there is no scope "${scope}"` });
  if (sites.length === 0) details.push({ path: 'sites', message: "must name at least one site, or '*'" });
  if (details.length > 0) throw invalid(details);
}

/** Makes a key and answers it whole, once. Throws `validation_failed` for unknown scopes and users. */
export async function createKey(db: Db, request: KeyRequest): Promise<CreatedKey> {
  checkKeyRequest(request);
  const user = request.userEmail ? await findUserByEmail(db, request.userEmail) : await firstAdministrator(db);
  if (!user)
    throw invalid([
      { path: 'user', message: `there is no user ${request.userEmail ?? '(run `fieldstone migrate` first)'}` },
    ]);
  const secret = randomText(secretLength);
  const secretHash = await hashSecret(secret);
  const { name, scopes, sites } = request;
  for (;;) {
    const id = randomText(idLength);
    if (await insertKey(db, { id, userId: user.id, name, scopes, sites, secretHash })) {
      return { id, key: formatKey(id, secret), name, scopes, sites };
    }
  }
}

/** A new secret for the same key; the old one dies at once, or after `overlapMinutes`. */
export async function rotateKey(db: Db, id: string, overlapMinutes = 0): Promise<CreatedKey> {
  const secret = randomText(secretLength);
  const secretHash = await hashSecret(secret);
  const previousUntil = overlapMinutes > 0 ? new Date(Date.now() + overlapMinutes * 60_000) : null;
  const row = await replaceKeySecret(db, id, secretHash, previousUntil);
  if (!row) throw notFound('key that is not revoked');
  return { id: row.id, key: formatKey(row.id, secret), name: row.name, scopes: row.scopes, sites: row.sites };
}

export async function revokeKey(db: Db, id: string): Promise<void> {
  if (!(await revokeKeyRow(db, id))) throw notFound('key');
}

/** Every key without its secret, newest first. */
export async function listKeys(db: Db) {
  return (await listKeyRows(db)).map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    sites: row.sites,
    user: row.user_email,
    created_at: formatTimestamp(row.created_at),
    revoked_at: row.revoked_at ? formatTimestamp(row.revoked_at) : null,
  }));
}
