import { z } from 'zod';
import type { Db } from '../../core/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import { nameText, siteListText, timestampText } from '../../core/schema.ts';
import { isScope } from '../../core/scopes.ts';
import { formatTimestamp, parseTimestamp, timestampOrNull } from '../../core/timestamp.ts';
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
  expires_at: string | null;
}

const keyRequest = z.object({
  name: nameText,
  scopes: z
    .array(z.string().refine(isScope, { error: ({ input }) => `there is no scope "${String(input).slice(0, 100)}"` }))
    .min(1, 'must name at least one scope')
    .transform((scopes) => [...new Set(scopes)]),
  sites: siteListText.refine((sites) => sites.length > 0, "must name at least one site, or '*'"),
  expires_at: timestampText
    .transform((value) => parseTimestamp(value)!)
    .refine((value) => value > new Date(), 'must be in the future')
    .nullable()
    .default(null),
  /** The owner; by default the first administrator. */
  userEmail: z.string().optional(),
});

const idLength = 8;
const secretLength = 32;

/** One at a time, so that hashing leaves threads for everything else. */
const hashQueue = createFairQueue({ capacity: 1, maxWaiting: Number.POSITIVE_INFINITY });

/** The secret of a key, and its hash. */
export interface NewSecret {
  secret: string;
  secretHash: string;
}

/** Creates a secret. Hashing it takes about 50 ms, so do it before a transaction. */
export async function createSecret(): Promise<NewSecret> {
  const secret = randomText(secretLength);
  return { secret, secretHash: await takeTurn(hashQueue, '', () => hashSecret(secret)) };
}

/**
 * Creates a key and returns it whole, once. Throws `validation_failed` for unknown scopes and users, and for invalid
 * slugs of sites.
 */
export async function createKey(
  db: Db,
  request: z.input<typeof keyRequest>,
  prepared?: NewSecret,
): Promise<CreatedKey> {
  const { name, scopes, sites, userEmail, expires_at: expiresAt } = check(keyRequest, request);
  const user = userEmail === undefined ? await firstAdministrator(db) : await findUserByEmail(db, userEmail);
  if (!user) {
    const message =
      userEmail === undefined
        ? 'there is no administrator yet: run `fieldstone migrate`'
        : `there is no user "${userEmail}"`;
    throw invalid([{ path: 'user', message }]);
  }
  const { secret, secretHash } = prepared ?? (await createSecret());
  for (;;) {
    const id = randomText(idLength);
    if (await insertKey(db, { id, userId: user.id, name, scopes, sites, secretHash, expiresAt })) {
      return { id, key: formatKey(id, secret), name, scopes, sites, expires_at: timestampOrNull(expiresAt) };
    }
  }
}

/** Replaces the secret of a key; the previous one expires at once, or after `overlapMinutes`. */
export async function rotateKey(db: Db, id: string, overlapMinutes = 0, prepared?: NewSecret): Promise<CreatedKey> {
  const { secret, secretHash } = prepared ?? (await createSecret());
  const previousUntil = overlapMinutes > 0 ? new Date(Date.now() + overlapMinutes * 60_000) : null;
  const row = await replaceKeySecret(db, id, secretHash, previousUntil);
  if (!row) throw notFound('key that is not revoked');
  const { name, scopes, sites, expires_at } = row;
  return { id, key: formatKey(id, secret), name, scopes, sites, expires_at: timestampOrNull(expires_at) };
}

export async function revokeKey(db: Db, id: string): Promise<void> {
  if (!(await revokeKeyRow(db, id))) throw notFound('key');
}

/** Returns the keys of a user, or of all users, without their secrets, newest first. */
export async function listKeys(db: Db, userId: string | null = null) {
  return (await listKeyRows(db, userId)).map((row) => ({
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    sites: row.sites,
    user: row.user_email,
    created_at: formatTimestamp(row.created_at),
    last_used_at: timestampOrNull(row.last_used_at),
    expires_at: timestampOrNull(row.expires_at),
    revoked_at: timestampOrNull(row.revoked_at),
  }));
}
