import { randomBytes } from 'node:crypto';
import { createSigningSecrets } from '../signing-secrets.ts';

/** The signing secrets of event endpoints. */
export const endpointSecrets = createSigningSecrets('event_endpoints', 'event-endpoint');

const prefix = 'whsec_';

/** Returns 256 random bits in the format of the Standard Webhooks specification. */
export function makeEndpointSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Returns the decoded bytes of a secret, the key of the signature. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}
