import { z } from 'zod';
import type { Db } from '../../core/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { nameText, siteListText } from '../../core/schema.ts';
import { isScope } from '../../core/scopes.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { check } from '../../core/validate.ts';
import { findUserByEmail, firstAdministrator } from '../users/index.ts';
import { formatKey, hashSecret, randomText } from './format.ts';
import { insertKey, listKeyRows, replaceKeySecret, revokeKeyRow } from './sql.ts';

export interface CreatedKey {
  id: string;
  /** The whole key, which is shown only once. */
  key: string;
  name: string;
  scopes: string[];
  sites: string[];
}

const keyRequest = z.object({
  name: nameText,
  scopes: z
    .array(z.string().refine(isScope, { error: ({ input }) => `there is no scope "${String(input).slice(0, 100)}"` }))
    .min(1, 'must name at least one scope')
    .transform((scopes) => [...new Set(scopes)]),
  sites: siteListText.refine((sites) => sites.length > 0, "must name at least one site, or '*'"),
  /** The owner; by default the first administrator. */
  userEmail: z.string().optional(),
});

const idLength = 8;
const secretLength = 32;

/**
 * Creates a key and returns it whole, once. Throws `validation_failed` for unknown scopes and users, and for invalid
 * slugs of sites.
 */
export async function createKey(db: Db, request: z.input<typeof keyRequest>): Promise<CreatedKey> {
  const { name, scopes, sites, userEmail } = check(keyRequest, request);
  const user = userEmail === undefined ? await firstAdministrator(db) : await findUserByEmail(db, userEmail);
  if (!user) {
    const message =
      userEmail === undefined
        ? 'there is no administrator yet: run `fieldstone migrate`'
        : `there is no user "${userEmail}"`;
    throw invalid([{ path: 'user', message }]);
  }
  const secret = randomText(secretLength);
  const secretHash = await hashSecret(secret);
  for (;;) {
    const id = randomText(idLength);
    if (await insertKey(db, { id, userId: user.id, name, scopes, sites, secretHash })) {
      return { id, key: formatKey(id, secret), name, scopes, sites };
    }
  }
}

/** Replaces the secret of a key; the previous one expires at once, or after `overlapMinutes`. */
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

/** Returns every key without its secret, newest first. */
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
