import { randomBytes } from 'node:crypto';
import type { Cipher } from '../../core/secrets.ts';
import type { EndpointRow } from './endpoints-sql.ts';

type Sealed = Pick<EndpointRow, 'id' | 'secret' | 'previous_secret' | 'previous_until'>;

/** A sealed secret opens only for the endpoint it was made for. */
const contextOf = (endpointId: string) => `event-endpoint:${endpointId}`;
const prefix = 'whsec_';

/** 256 random bits in the form of the Standard Webhooks specification. */
export function makeEndpointSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The bytes that a secret stands for: what the signature is keyed with. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}

export function sealEndpointSecret(cipher: Cipher, endpointId: string, secret: string): string {
  return cipher.encrypt(secret, contextOf(endpointId));
}

/** The current secret. Throws when no key of the ring opens it. */
export function openEndpointSecret(cipher: Cipher, { id, secret }: Pick<Sealed, 'id' | 'secret'>): string {
  return cipher.decrypt(secret, contextOf(id));
}

/** The current secret, and the one before for as long as receivers may still know only that. */
export function openSigningSecrets(cipher: Cipher, row: Sealed, now = new Date()): string[] {
  const secrets = [openEndpointSecret(cipher, row)];
  if (row.previous_secret && row.previous_until && row.previous_until > now) {
    secrets.push(cipher.decrypt(row.previous_secret, contextOf(row.id)));
  }
  return secrets;
}

/** A secret sealed anew for another endpoint (a copy of a site). Throws when no key of the ring opens it. */
export function resealEndpointSecret(cipher: Cipher, fromId: string, toId: string, sealed: string): string {
  return cipher.encrypt(cipher.decrypt(sealed, contextOf(fromId)), contextOf(toId));
}
