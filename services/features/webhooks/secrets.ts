import { randomBytes } from 'node:crypto';
import type { Cipher } from '../../core/secrets.ts';
import type { IntegrationRow } from './integrations-sql.ts';

/** A sealed secret opens only for the integration it was made for. */
const contextOf = (integrationId: string) => `integration:${integrationId}`;

/** 256 random bits; the prefix says what the string is when it turns up somewhere. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

export function sealSecret(cipher: Cipher, integrationId: string, secret: string): string {
  return cipher.encrypt(secret, contextOf(integrationId));
}

/** The current secret of an integration. */
export function openSecret(cipher: Cipher, row: Pick<IntegrationRow, 'id' | 'secret'>): string {
  return cipher.decrypt(row.secret, contextOf(row.id));
}

/** The current secret, and the one before while it is still valid (contract: two valid secrets while one is being rotated). */
export function openValidSecrets(
  cipher: Cipher,
  row: Pick<IntegrationRow, 'id' | 'secret' | 'previous_secret' | 'previous_until'>,
  now = new Date(),
): string[] {
  const secrets = [openSecret(cipher, row)];
  if (row.previous_secret && row.previous_until && row.previous_until > now) {
    secrets.push(cipher.decrypt(row.previous_secret, contextOf(row.id)));
  }
  return secrets;
}

/** A secret sealed anew for another integration (a copy of a site). Throws when no key of the ring opens it. */
export function resealSecret(cipher: Cipher, fromId: string, toId: string, sealed: string): string {
  return cipher.encrypt(cipher.decrypt(sealed, contextOf(fromId)), contextOf(toId));
}
